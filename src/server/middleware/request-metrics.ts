import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { AppEnv } from '../app-env.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'

/** The patterns that match every path. */
const EVERYWHERE = ['*', '/*']

export function requestMetrics(metrics: RequestMetrics, now: () => number): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const begin = now()
    await next()
    const route = matchedRoutes(context).findLast(({ path }) => !EVERYWHERE.includes(path))?.path ?? 'none'
    metrics.add({ method: context.req.method, route, status: context.res.status, seconds: (now() - begin) / 1_000 })
  }
}
