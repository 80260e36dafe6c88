import type { Status } from '../accounts/status.ts'

export type GrantType = 'AUTHORIZATION_CODE' | 'PASSWORD' | 'REFRESH_TOKEN'

/** An application consumer in its role as a client of OAuth 2 (RFC 6749, section 2). */
export interface Client {
  readonly uuid: string
  /** The client_id: `<slug>.<suffix>`. */
  readonly identifier: string
  readonly name: string
  readonly status: Status
  readonly grantTypes: readonly GrantType[]
  /** The addresses that it may redirect to, the default one first. */
  readonly redirectUris: readonly string[]
  /** The address for requests that name none; null if there is none. */
  readonly defaultRedirectUri: string | null
  /** The scopes of its tokens where a request names none. Unknown scopes are left out. */
  readonly scopes: readonly string[]
  /** The scopes that it lists and that do not exist here. */
  readonly unknownScopes: readonly string[]
  /**
   * The most scopes that its tokens can have: those above, and `openid` where people sign in, because every OpenID
   * library requests it.
   */
  readonly allowedScopes: readonly string[]
  readonly skipsConsent: boolean
}
