import { validateHeaderValue } from 'node:http'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'
import { ERRORS_PATH } from './requests/error-kinds.ts'
import { HttpError, isExpected, problemReply, problemResponse } from './requests/error-response.ts'
import type { Authenticate } from './authenticate.ts'
import { DirectBatches } from './direct-batches.ts'
import { clientAddress, proxyList } from './requests/client-address.ts'
import { refuseOtherMethods } from './requests/other-methods.ts'
import { responseOf, type Reply } from './requests/reply.ts'
import type { Lifecycle } from './lifecycle.ts'
import { heldBodies } from './requests/held-bytes.ts'
import { DEFAULT_LIMITS, type Limits } from './requests/limits.ts'
import { errorFields, type Logger } from './logger.ts'
import type { AddPages, MissingPage } from './page-services.ts'
import type { Metrics } from './metrics/metrics.ts'
import { disconnecter } from './graphql/subscriptions/open-streams.ts'
import { OpenSubscriptions } from './graphql/subscriptions/open-subscriptions.ts'
import { requireBearer } from './middleware/require-bearer.ts'
import { RememberedBearers } from './remembered-bearers.ts'
import { crossOrigin } from './middleware/cross-origin.ts'
import { domainOfHost } from './middleware/domain-of-host.ts'
import { everyHeader } from './middleware/every-header.ts'
import { unreadAnswers } from './middleware/unread-answers.ts'
import { observed, type AddressOf, requestMetrics, requestLog } from './middleware/observed.ts'
import type { Platform } from './platform.ts'
import { errorsRoute } from './routes/errors.ts'
import { graphqlRoute } from './routes/graphql.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { protectedResourceRoute, RESOURCE_METADATA, withMetadata } from './routes/protected-resource.ts'
import { addPublicRoutes, addRestRoutes, methodsByPath } from './routes/rest-route.ts'
import { PUBLIC_ROUTES, REST_ROUTES } from './routes/rest-routes.ts'
import { SIGN_IN_PATHS, signInRoutes } from './routes/sign-in.ts'
import { HoldfastError } from '../lib/errors.ts'

export interface AppOptions {
  readonly lifecycle: Lifecycle
  readonly logger: Logger
  /** Called only after the platform is open. */
  platform(): Platform
  readonly limits?: Partial<Limits>
  /** The value of HOLDFAST_TRUSTED_PROXIES. */
  readonly trustedProxies?: readonly string[]
  readonly metrics?: Metrics
  /** The pages of the console; left out if the app has none. */
  readonly addPages?: AddPages
  /** Whether another port serves the metrics, so that this app does not. */
  readonly hidesMetrics?: boolean
}

/** Every path below these prefixes needs a bearer token, even if the path does not exist. */
const PROTECTED = ['/graphql', '/rest/*']
/** Pages of other origins may call these paths if the domain allows it. */
const CROSS_ORIGIN = ['/graphql/*', '/rest/*']
const ROUTES = [...REST_ROUTES, ...PUBLIC_ROUTES]
/**
 * Clients call this path many times a second, so each token is looked up at most once a second. Other paths look it up
 * for each request.
 */
const CALLED_OFTEN = '/rest/v1/data-points/add'

export interface App {
  readonly app: Hono<AppEnv>
  /** Answers some requests of a socket without the routes. */
  readonly direct: DirectBatches
}

export function createApp(options: AppOptions): App {
  const { lifecycle, logger, platform, trustedProxies = [] } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const app = new Hono<AppEnv>()
  const counting = options.metrics === undefined ? [] : [requestMetrics(options.metrics.requests)]
  const observers = [...counting, requestLog(logger)]
  const trusted = proxyList(trustedProxies)
  const addressOf: AddressOf = (socket, forwardedFor) => clientAddress(socket, forwardedFor, trusted)
  app.use(
    everyHeader,
    observed(observers, addressOf, () => performance.now()),
  )
  if (options.metrics !== undefined && options.hidesMetrics !== true) metricsRoute(app, options.metrics)
  healthRoutes(app, lifecycle, platform)
  errorsRoute(app)
  for (const path of ['/healthz', '/readyz', ERRORS_PATH]) refuseOtherMethods(app, path, 'GET, HEAD')
  app.use(available(lifecycle), domainOfHost(platform))
  const bearers = new RememberedBearers(
    () => performance.now(),
    (domainId) => platform().datapoints.accessVersion(domainId),
  )
  const authenticate: Authenticate = (token, domain) => platform().authenticate(token, domain)
  const remembering = bearers.remember(authenticate)
  const held = heldBodies(limits)
  const services = { platform, lifecycle, logger, limits, held, bearers, metrics: options.metrics, routes: ROUTES }
  const pages = crossOrigin(platform, () => performance.now())
  for (const path of CROSS_ORIGIN) app.use(path, pages)
  // After these headers, so that pages of other origins can read a refusal, too.
  app.use(unreadAnswers(limits))
  addPublicRoutes(app, PUBLIC_ROUTES, services)
  protectedResourceRoute(app, platform)
  const bearer = requireBearer((path) => (path === CALLED_OFTEN ? remembering : authenticate))
  for (const path of PROTECTED) app.use(path, bearer)
  const signIn = signInRoutes(app, { platform, logger, addressOf })
  const draining = lifecycle.draining
  const subscriptions = new OpenSubscriptions(() => ({ platform: platform(), logger, limits, draining }))
  let answerMissing: MissingPage | null = null
  if (options.addPages !== undefined) {
    const streams = ({ req, env }: Context<AppEnv>) =>
      subscriptions.streamsFor({ left: req.raw.signal, disconnect: disconnecter(env.outgoing) })
    answerMissing = options.addPages(app, { ...signIn, platform, authenticate, streams, held })
  }
  addRestRoutes(app, REST_ROUTES, services)
  graphqlRoute(app, { platform, logger, limits, held, metrics: options.metrics, subscriptions })
  refuseOtherMethods(app, '/graphql', 'POST')
  for (const [path, allow] of [...methodsByPath(ROUTES), ...SIGN_IN_PATHS]) refuseOtherMethods(app, path, allow)
  refuseOtherMethods(app, RESOURCE_METADATA, 'GET, HEAD, OPTIONS')
  app.notFound(async (context) => {
    const page = await answerMissing?.(context)
    if (page != null) return page
    const advice = context.req.path.length > 1 && context.req.path.endsWith('/') ? '; leave out the / at its end' : ''
    const error = new HttpError('NOT_FOUND', 404, 'Not found', `there is nothing at this path${advice}`)
    return problemResponse(error, context.get('traceId'))
  })
  const failed = failureReply(logger)
  app.onError((error, { req, get }) => {
    const replyTo = (problem: unknown) => failed(problem, get('traceId'), req.path === '/graphql')
    try {
      const { host, pathname: path } = new URL(req.url)
      const refused = { domain: get('domain'), host: req.header('host') ?? host, path }
      const reply = withMetadata(replyTo(error), platform, refused)
      // The response would check them only while it is written, when it is too late for another answer.
      for (const [name, value] of Object.entries(reply.headers)) validateHeaderValue(name, value)
      return responseOf(reply)
    } catch (broken) {
      return responseOf(replyTo(broken))
    }
  })
  return { app, direct: new DirectBatches({ ...services, observers, addressOf, failed }) }
}

/** Turns an error into the reply. Unexpected errors are logged. */
function failureReply(logger: Logger): (error: unknown, traceId: string, isGraphql?: boolean) => Reply {
  return (error, traceId, isGraphql = false) => {
    if (!isExpected(error)) logger.error({ traceId, ...errorFields(error) }, 'unexpected error')
    else if (error.code === 'UNAUTHENTICATED' && error.cause instanceof Error)
      logger.info({ traceId, refusal: error.message, detail: error.cause.message }, 'refused')
    return problemReply(error, traceId, isGraphql)
  }
}

/** Rejects requests until the database is open. While the server stops, it still answers requests that have arrived. */
function available(lifecycle: Lifecycle): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (lifecycle.state === 'starting')
      throw new HoldfastError('UNAVAILABLE', 'the platform is starting; try again in a moment')
    await next()
    // An open keep-alive connection would delay the stop until its idle timeout.
    if (lifecycle.state === 'draining') context.res.headers.set('connection', 'close')
  }
}
