import type { MiddlewareHandler } from 'hono'
import { NODE_AWAY } from '../../db/postgres/postgres-errors.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Domain } from '../../store/domains.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../requests/error-response.ts'
import { hostName } from '../requests/host-name.ts'
import type { Platform } from '../platform.ts'

/**
 * The Host header decides which domain a request belongs to. Forwarding headers do not, because anyone can send them.
 */
export function domainOfHost(platform: () => Platform): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const host = context.req.header('host') ?? new URL(context.req.url).host
    context.set('domain', await domainAt(platform(), host))
    await next()
  }
}

/** Returns the domain of a host name. Rejects unknown names, and domains whose node of the database is known to be away. */
export async function domainAt(platform: Pick<Platform, 'findDomain' | 'database'>, host: string): Promise<Domain> {
  const name = hostName(host)
  const domain = name === null ? null : await platform.findDomain(name)
  if (domain !== null && platform.database.away?.().has(domain.id) === true)
    throw new HoldfastError('UNAVAILABLE', `${NODE_AWAY}; try again in a moment`)
  if (domain !== null) return domain
  throw new HttpError(
    'NOT_FOUND',
    421,
    'Misdirected request',
    'no domain of this platform has the host name of this request; check the address',
  )
}
