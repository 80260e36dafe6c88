import { HoldfastError } from '../../lib/errors.ts'
import type { Domain } from '../../store/domains.ts'
import { hostName } from '../host-name.ts'

/**
 * Who a domain is as a provider: HOLDFAST_BASE_URL for the domain that it names, and the Host of the request for others.
 * That Host names the domain already, so nobody can make it say something else; forwarding headers are not looked at.
 */
export function issuerOf(baseUrl: string | null, { hostNames }: Domain, host: string): string {
  const base = baseUrl === null ? null : new URL(baseUrl)
  const name = base === null ? null : hostName(base.host)
  if (base !== null && name !== null && hostNames.includes(name)) return base.origin
  const issuer = `${base?.protocol ?? 'http:'}//${host}`
  if (URL.canParse(issuer)) return new URL(issuer).origin
  throw new HoldfastError('BAD_USER_INPUT', 'the Host of this request is not an address')
}
