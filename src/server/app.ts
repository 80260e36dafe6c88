import { Hono } from 'hono'
import type { AppEnv } from './app-env.ts'
import { HttpError, isExpected, problemResponse } from './requests/error-response.ts'
import type { Lifecycle } from './process/lifecycle.ts'
import { DEFAULT_LIMITS, type Limits } from './requests/limits.ts'
import { errorFields, type Logger } from './process/logger.ts'
import type { Metrics } from './metrics/metrics.ts'
import { available } from './middleware/availability.ts'
import { bearer } from './middleware/bearer.ts'
import { RememberedBearers } from './remembered-bearers.ts'
import { domainOfHost } from './middleware/domain-of-host.ts'
import { requestMetrics } from './middleware/request-metrics.ts'
import { requestLog } from './middleware/request-log.ts'
import { securityHeaders } from './middleware/security-headers.ts'
import { trace } from './middleware/trace.ts'
import type { Platform } from './process/platform.ts'
import { dataPointReadRoute } from './routes/data-points-read.ts'
import { dataPointRoutes } from './routes/data-points.ts'
import { descriptionRoutes } from './routes/descriptions.ts'
import { graphqlRoute } from './routes/graphql.ts'
import { healthRoutes } from './routes/health.ts'
import { homeRoute } from './routes/home.ts'
import { importRoute } from './routes/import.ts'
import { metricsRoute } from './routes/metrics.ts'
import { setPointRoutes } from './routes/set-points.ts'
import { SIGN_IN_PATHS, signInRoutes } from './routes/sign-in.ts'

export interface AppOptions {
  readonly lifecycle: Lifecycle
  readonly logger: Logger
  /** Called only once the platform is open. */
  platform(): Platform
  readonly limits?: Partial<Limits>
  /** HOLDFAST_TRUSTED_PROXIES. */
  readonly trustedProxies?: readonly string[]
  readonly metrics?: Metrics
  /** METRICS_PORT is set: then they are there and not here. */
  readonly hasMetricsPort?: boolean
}

/** Every path below these is for those who are signed in, whether it exists or not. */
const PROTECTED = ['/graphql', '/rest/*']

export function createApp(options: AppOptions): Hono<AppEnv> {
  const { lifecycle, logger, platform, trustedProxies = [] } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const app = new Hono<AppEnv>()
  app.use(
    securityHeaders,
    trace,
    requestLog(logger, () => performance.now()),
  )
  if (options.metrics !== undefined) {
    app.use(requestMetrics(options.metrics.requests, () => performance.now()))
    if (options.hasMetricsPort !== true) metricsRoute(app, options.metrics)
  }
  healthRoutes(app, lifecycle, platform)
  refuseOtherMethods(app, ['/healthz', '/readyz'], 'GET, HEAD')
  app.use(available(lifecycle), domainOfHost(platform))
  // Sent to many times a second by one client: only here a token is looked up once a second.
  const bearers = new RememberedBearers(
    () => performance.now(),
    (domainId) => platform().datapoints.accessVersion(domainId),
  )
  app.use('/rest/v1/data-points/add', bearer(platform, bearers.remember))
  for (const path of PROTECTED) app.use(path, bearer(platform))
  homeRoute(app)
  signInRoutes(app, { platform, logger, trustedProxies })
  descriptionRoutes(app, { platform, limits })
  dataPointRoutes(app, { platform, limits, bearers })
  dataPointReadRoute(app, { platform, logger })
  importRoute(app, { platform, limits })
  setPointRoutes(app, { platform, lifecycle, limits, metrics: options.metrics })
  graphqlRoute(app, { platform, lifecycle, logger, limits, metrics: options.metrics })
  refuseOtherMethods(
    app,
    [
      '/',
      '/rest/v1/data-points',
      '/rest/v1/import-document.schema.json',
      '/rest/v1/openapi.json',
      '/rest/v1/set-points/pending',
    ],
    'GET, HEAD',
  )
  refuseOtherMethods(
    app,
    [
      '/graphql',
      '/rest/v1/import',
      '/rest/v1/data-points/add',
      '/rest/v1/set-points/add',
      '/rest/v1/set-points/acknowledge',
    ],
    'POST',
  )
  for (const [path, allow] of SIGN_IN_PATHS) refuseOtherMethods(app, [path], allow)
  app.notFound((context) => {
    const error = new HttpError('NOT_FOUND', 404, 'Not found', 'there is nothing at this path')
    return problemResponse(error, context.get('traceId'))
  })
  app.onError((error, context) => {
    const traceId = context.get('traceId')
    if (!isExpected(error)) logger.error({ traceId, ...errorFields(error) }, 'unexpected error')
    else if (error.code === 'UNAUTHENTICATED' && error.cause instanceof Error)
      logger.info({ traceId, refusal: error.message, detail: error.cause.message }, 'refused')
    return problemResponse(error, traceId, context.req.path === '/graphql')
  })
  return app
}

/** For paths that exist: comes after their routes, so it sees only the methods that those do not answer. */
function refuseOtherMethods(app: Hono<AppEnv>, paths: readonly string[], allow: string): void {
  for (const path of paths) {
    app.all(path, ({ req }) => {
      throw new HttpError(
        'BAD_USER_INPUT',
        405,
        'Method not allowed',
        `${req.method} is not possible here; use ${allow}`,
        { allow },
      )
    })
  }
}
