import { ProviderKeys } from './provider-keys.ts'
import { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

/** The settings and means of a process for the OpenID providers that its domains trust. */
export interface ExternalProviders {
  readonly fetch: GuardedFetch
  readonly keys: ProviderKeys
  /** The value of HOLDFAST_ALLOWED_ISSUERS. */
  readonly allowedOrigins: readonly string[]
  /** The time after a sign-in at a provider for which tokens may be refreshed: HOLDFAST_PROVIDER_REFRESH_HOURS. */
  readonly refreshSeconds: number
}

const DAY_SECONDS = 24 * 3_600

export function externalProviders(
  options: GuardedFetchOptions & { now(): Date; readonly refreshSeconds?: number },
): ExternalProviders {
  const fetch = guardedFetch(options)
  const { allowedOrigins, refreshSeconds = DAY_SECONDS } = options
  return { fetch, keys: new ProviderKeys(fetch, () => options.now()), allowedOrigins, refreshSeconds }
}
