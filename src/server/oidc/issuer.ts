import type { Context } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import type { Domain } from '../../store/domains.ts'
import type { AppEnv } from '../app-env.ts'
import type { Platform } from '../platform.ts'
import { hostName } from '../requests/host-name.ts'

/** Returns the public address of a request's domain. */
export function issuerFor(context: Context<AppEnv>, { baseUrl }: Pick<Platform, 'baseUrl'>): string {
  const host = context.req.header('host') ?? new URL(context.req.url).host
  return issuerOf(baseUrl, context.get('domain'), host)
}

/**
 * Returns the issuer of a domain. For the domain that HOLDFAST_BASE_URL names, it is that address. For other domains it
 * is the host name of the request, with the protocol and port of HOLDFAST_BASE_URL, because all domains are behind the
 * same proxy. Without that variable, the port comes from the Host header. Any port is accepted, because tunnels and
 * containers change it, and a false port only affects its own request. Forwarding headers are ignored.
 */
export function issuerOf(baseUrl: string | null, { hostNames }: Domain, host: string): string {
  const base = baseUrl === null ? null : new URL(baseUrl)
  const name = base === null ? null : hostName(base.host)
  if (base !== null && name !== null && hostNames.includes(name)) return base.origin
  const issuer = `${base?.protocol ?? 'http:'}//${host}`
  if (!URL.canParse(issuer)) throw new HoldfastError('BAD_USER_INPUT', 'the Host of this request is not an address')
  const url = new URL(issuer)
  if (base !== null) url.port = base.port
  return url.origin
}
