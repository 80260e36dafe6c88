import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Domain } from '../../store/domains.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { AppEnv } from '../app-env.ts'
import type { Logger } from '../logger.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'

/** A request that was answered. */
export interface Observed {
  readonly method: string
  readonly path: string
  /** The pattern of the route. The path itself may hold secrets, and clients choose it. */
  readonly route: string
  readonly status: number
  readonly traceId: string
  /** The address of the client; empty if none is known. */
  readonly address: string
  /** Undefined if the request was rejected before its domain was known. */
  readonly domain: Domain | undefined
  readonly actor: Actor | undefined
  /** The time until the answer, in milliseconds. */
  readonly milliseconds: number
}

/** Receives each request that was answered. */
export type Observer = (answered: Observed) => void

/** The patterns that match every path. */
const EVERYWHERE = ['*', '/*']

/** Returns the address of the client, from its socket and the header `X-Forwarded-For`. */
export type AddressOf = (socket: string | undefined, forwardedFor: string | undefined) => string

export function observed(
  observers: readonly Observer[],
  addressOf: AddressOf,
  now: () => number,
): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const begin = now()
    // The address is read first, because the socket has none any more if the client disconnects before the answer.
    const address = addressOf(context.env.incoming?.socket.remoteAddress, context.req.header('x-forwarded-for'))
    await next()
    const milliseconds = now() - begin
    const { method, path } = context.req
    const answered: Observed = {
      method,
      path,
      route: matchedRoutes(context).findLast((one) => !EVERYWHERE.includes(one.path))?.path ?? 'none',
      status: context.res.status,
      traceId: context.get('traceId'),
      address,
      domain: context.get('domain'),
      actor: context.get('actor'),
      milliseconds,
    }
    for (const observe of observers) observe(answered)
  }
}

/** The id in this path is as secret as the id of a session, because it lets a browser continue a sign-in. */
const INTERACTION = /^(\/authenticate\/)[\w-]{20,64}$/

/** Supervisors of the process call these paths every few seconds. */
const PROBES = ['/healthz', '/readyz']

/** Logs a line for each answer, except successful probes, without query and headers, which may have secrets. */
export function requestLog(logger: Logger): Observer {
  return ({ method, path, route, status, traceId, address, domain, actor, milliseconds }) => {
    if (PROBES.includes(route) && status < 400) return
    logger.info(
      {
        traceId,
        address: address === '' ? null : address,
        method,
        path: path.replace(INTERACTION, '$1:interaction'),
        status,
        milliseconds: Math.round(milliseconds),
        domain: domain?.slug ?? null,
        actor: actor?.name ?? null,
      },
      'request',
    )
  }
}

export function requestMetrics(metrics: RequestMetrics): Observer {
  return ({ method, route, status, milliseconds }) =>
    metrics.add({ method, route, status, seconds: milliseconds / 1_000 })
}
