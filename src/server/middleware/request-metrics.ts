import type { RequestMetrics } from '../metrics/request-metrics.ts'
import type { Observer } from './observed.ts'

export function requestMetrics(metrics: RequestMetrics): Observer {
  return ({ method, route, status, milliseconds }) =>
    metrics.add({ method, route, status, seconds: milliseconds / 1_000 })
}
