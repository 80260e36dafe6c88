import { HoldfastError } from '../../lib/errors.ts'
import type { Domain } from '../../store/domains.ts'
import { hostName } from '../requests/host-name.ts'

/**
 * The issuer of a domain. It is HOLDFAST_BASE_URL for the domain that this names. For other domains it is the name in
 * the request's Host header, which selected the domain, with the protocol and port of HOLDFAST_BASE_URL, since all of
 * them are behind the same proxy. Without that variable the port is that of the Host header. It may be any port,
 * because tunnels and containers change it, and a made-up port only affects its own request. Forwarding headers are
 * ignored.
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
