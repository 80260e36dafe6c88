import { HoldfastError } from '../../lib/errors.ts'
import type { Domain } from '../../store/domains.ts'
import { hostName } from '../requests/host-name.ts'

/**
 * Who a domain is as a provider: HOLDFAST_BASE_URL for the domain that it names. For others it is the name in the Host of
 * the request, which names the domain already, with the protocol and the port of HOLDFAST_BASE_URL: all of them are behind
 * the same proxy. Without that variable the port is the one in the Host, which may be any, since tunnels and containers
 * give servers other ones than they listen on; whoever makes one up is told so, and nobody else. Forwarding headers are
 * not looked at.
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
