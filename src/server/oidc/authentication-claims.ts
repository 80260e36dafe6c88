import type { Provider } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { secondsAhead } from './library-clock.ts'
import { readProof } from '../login/proof.ts'
import { requireMethod } from './require-method.ts'

// Time and method of an authentication. If another provider authenticated the person, applications get its claims, and
// not the time when the browser came back here (OpenID Connect Core 1.0, section 2). The library has no options for
// this.

interface Carrier {
  readonly acr?: unknown
  readonly amr?: unknown
}

interface SessionClass {
  readonly prototype: Carrier & {
    loginTs?: number | undefined
    authTime(): number | undefined
    past(age: number): boolean
  }
}

interface IdTokenClass {
  readonly prototype: { readonly available: Carrier; payload(): Promise<object> }
}

export function adaptAuthentication(
  { Session, IdToken }: Pick<Provider, 'Session' | 'IdToken'>,
  access: Pick<AccessContext, 'now'>,
): void {
  adaptSession(Session, access)
  adaptIdToken(IdToken)
}

/**
 * Sets the age of a session to the age of the authentication. If that time is unknown, the session is too old for any
 * `max_age`.
 */
export function adaptSession({ prototype }: SessionClass, access: Pick<AccessContext, 'now'>): void {
  requireMethod(prototype, 'authTime', 0)
  requireMethod(prototype, 'past', 1)
  prototype.authTime = function () {
    const { provider } = readProof(this)
    if (provider !== null) return provider.authentication.auth_time
    return this.loginTs === undefined ? undefined : this.loginTs + secondsAhead(access)
  }
  prototype.past = function (age) {
    const authTime = this.authTime()
    return authTime === undefined || access.now().getTime() / 1_000 - authTime > age
  }
}

/** Adds the provider's `acr` and `amr` to ID tokens. The library keeps the proof there and would leave them out. */
export function adaptIdToken({ prototype }: IdTokenClass): void {
  requireMethod(prototype, 'payload', 0)
  const payloadOf = prototype.payload
  prototype.payload = async function () {
    const { provider } = readProof(this.available)
    const { acr, amr } = provider?.authentication ?? {}
    return { ...(await payloadOf.call(this)), ...(acr !== undefined && { acr }), ...(amr !== undefined && { amr }) }
  }
}
