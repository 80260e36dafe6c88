import { ProviderKeys } from './provider-keys.ts'
import { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

/** What a process needs to talk to the OpenID providers that its domains trust. */
export interface ExternalProviders {
  readonly fetch: GuardedFetch
  readonly keys: ProviderKeys
  /** The value of HOLDFAST_ALLOWED_ISSUERS. */
  readonly allowedOrigins: readonly string[]
}

export function externalProviders(options: GuardedFetchOptions & { now(): Date }): ExternalProviders {
  const fetch = guardedFetch(options)
  return { fetch, keys: new ProviderKeys(fetch, () => options.now()), allowedOrigins: options.allowedOrigins }
}
