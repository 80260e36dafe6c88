import type { Status } from '../accounts/status.ts'

export type GrantType = 'AUTHORIZATION_CODE' | 'PASSWORD' | 'REFRESH_TOKEN'

/** An application consumer, as the authentication flows see it: a client of OAuth 2 (RFC 6749, section 2). */
export interface Client {
  readonly uuid: string
  /** Its client_id: `<slug>.<suffix>`. */
  readonly identifier: string
  readonly name: string
  readonly status: Status
  readonly grantTypes: readonly GrantType[]
  /** All it may ask to be sent back to, the default one first. */
  readonly redirectUris: readonly string[]
  /** Where people return to when a request names no address; null where there is none. */
  readonly defaultRedirectUri: string | null
  /** What its tokens have where a request asks for none in particular; unknown ones are left out. */
  readonly scopes: readonly string[]
  /** The most that its tokens can have: those, and `openid` where people sign in by it, which every OpenID library asks for. */
  readonly allowedScopes: readonly string[]
  readonly skipsConsent: boolean
}
