/** How somebody came in by another provider. Everything that comes out of the sign-in carries it. */
export interface ProviderSignIn {
  /** The rule that let them in: see `ruleDigest`. */
  readonly rule: string
  /** When they signed in here, in seconds since 1970. */
  readonly at: number
  /** The provider's statement about the authentication itself. */
  readonly authentication: Authentication
}

/** When and how a provider authenticated somebody (OpenID Connect Core 1.0, section 2), as far as it says so. */
export interface Authentication {
  /** In seconds since 1970. It may be long before the sign-in here. */
  readonly auth_time?: number
  readonly acr?: string
  readonly amr?: readonly string[]
}
