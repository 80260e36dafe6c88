import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Metrics } from '../metrics/metrics.ts'

const SENT_BY_PROXIES = /^(via|forwarded|x-real-ip|x-forwarded-.*)$/

/**
 * Serves the metrics on the port of the API, only for direct requests from this machine. A request through a proxy does
 * not count as such. For all others the path does not exist.
 */
export function metricsRoute(app: Hono<AppEnv>, metrics: Metrics): void {
  app.get('/metrics', (context, next) => {
    const address = context.env.incoming?.socket.remoteAddress ?? ''
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(address)
    const isForwarded = Object.keys(context.req.header()).some((name) => SENT_BY_PROXIES.test(name))
    return isLocal && !isForwarded ? metrics.answer(context.req.header('accept')) : next()
  })
}

/** The server on METRICS_PORT. */
export function metricsOnly(metrics: Metrics): (request: Request) => Response | Promise<Response> {
  return (request) =>
    new URL(request.url).pathname === '/metrics'
      ? metrics.answer(request.headers.get('accept') ?? undefined)
      : new Response('there is only /metrics here\n', { status: 404 })
}
