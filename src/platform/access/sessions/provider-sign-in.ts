/** A sign-in by another provider. Everything issued by the sign-in carries it. */
export interface ProviderSignIn {
  /** The rule that let the person in: see `ruleDigest`. */
  readonly rule: string
  /** The time of the sign-in here, in seconds since 1970. */
  readonly at: number
  /** The provider's statement about the authentication itself. */
  readonly authentication: Authentication
}

/** When and how a provider authenticated a person (OpenID Connect Core 1.0, section 2), if it tells them. */
export interface Authentication {
  /** In seconds since 1970. It may be long before the sign-in here. */
  readonly auth_time?: number
  readonly acr?: string
  readonly amr?: readonly string[]
}
