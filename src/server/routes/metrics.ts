import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Metrics } from '../metrics/metrics.ts'

/**
 * Without a port of its own it is for this machine alone: for a socket from it over which no proxy speaks for others.
 * To everybody else there is nothing at this path.
 */
export function metricsRoute(app: Hono<AppEnv>, metrics: Metrics): void {
  app.get('/metrics', (context, next) => {
    const address = context.env.incoming?.socket.remoteAddress ?? ''
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(address)
    const isForwarded = ['forwarded', 'x-forwarded-for'].some((name) => context.req.header(name) !== undefined)
    return isLocal && !isForwarded ? Promise.resolve(metrics.answer(context.req.header('accept'))) : next()
  })
}

/** What listens on METRICS_PORT. */
export function metricsOnly(metrics: Metrics): (request: Request) => Response {
  return (request) =>
    new URL(request.url).pathname === '/metrics'
      ? metrics.answer(request.headers.get('accept') ?? undefined)
      : new Response('there is only /metrics here\n', { status: 404 })
}
