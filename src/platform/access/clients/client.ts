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
  /** The addresses that the client may redirect to, the default one first. */
  readonly redirectUris: readonly string[]
  /** The address for requests without a redirect URI; null if there is none. */
  readonly defaultRedirectUri: string | null
  /** The scopes of the client's tokens if a request names none. Unknown scopes are left out. */
  readonly scopes: readonly string[]
  /** Listed scopes that do not exist on this platform. */
  readonly unknownScopes: readonly string[]
  /** All scopes that its tokens can have: `scopes`, and `openid` if people sign in, as OpenID libraries request it. */
  readonly allowedScopes: readonly string[]
  readonly skipsConsent: boolean
}
