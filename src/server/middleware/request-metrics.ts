import { matchedRoutes } from 'hono/route'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import type { Observer } from './observed.ts'

/** The patterns that match every path. */
const EVERYWHERE = ['*', '/*']

export function requestMetrics(metrics: RequestMetrics): Observer {
  return (context, milliseconds) => {
    const route = matchedRoutes(context).findLast(({ path }) => !EVERYWHERE.includes(path))?.path ?? 'none'
    metrics.add({ method: context.req.method, route, status: context.res.status, seconds: milliseconds / 1_000 })
  }
}
