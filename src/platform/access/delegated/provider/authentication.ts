import type { Claims } from '../../../../auth/token-rules.ts'
import type { Authentication } from '../../sessions/provider-sign-in.ts'
import { refusal } from '../refusal.ts'
import { SKEW_SECONDS } from './provider-claims.ts'

// An application may demand that a person authenticates again, or in a certain way. The platform passes the demand to
// the provider, and checks the provider's answer: the return of the browser alone proves nothing (OpenID Connect Core
// 1.0, section 3.1.2.1).

/** The demands of a request on the authentication at the provider. */
export interface Demanded {
  /** The time when the browser left for the provider, in seconds since 1970. */
  readonly leftAt: number
  /** The highest age of the authentication at that time, in seconds: 0 for a new one; null for any. */
  readonly maxAge: number | null
}

/** The error for a person whom the provider has not authenticated as recently as the application demands. */
export class StaleAuthentication extends Error {}

/** Reads the authentication from checked claims. It fails if the authentication does not meet the demand. */
export function authenticationOf(claims: Claims, { leftAt, maxAge }: Demanded, moment: Date): Authentication {
  const told = toldIn(claims)
  const { auth_time: authTime } = told
  if (authTime !== undefined && authTime > moment.getTime() / 1_000 + SKEW_SECONDS)
    throw refusal('it has an authentication time in the future (auth_time)')
  if (maxAge === null) return told
  if (authTime === undefined)
    throw new StaleAuthentication('the provider does not say when it authenticated the person (auth_time)')
  if (authTime < leftAt - maxAge - SKEW_SECONDS)
    throw new StaleAuthentication(`the authentication of ${authTime} is older than the ${maxAge} s that were demanded`)
  return told
}

/** The limit of characters. Longer texts have no use, and would be stored with each token. */
const LONGEST = 200
const MOST_METHODS = 20

function toldIn({ auth_time: time, acr, amr }: Claims): Authentication {
  const methods = Array.isArray(amr) && amr.length > 0 && amr.length <= MOST_METHODS && amr.every(isShort) ? amr : null
  return {
    ...(typeof time === 'number' && { auth_time: Math.floor(time) }),
    ...(isShort(acr) && { acr }),
    ...(methods !== null && { amr: methods }),
  }
}

function isShort(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= LONGEST
}
