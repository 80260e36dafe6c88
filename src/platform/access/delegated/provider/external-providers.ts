import { ProviderKeys } from './provider-keys.ts'
import { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

/** The means of a process to talk to the OpenID providers that its domains trust. */
export interface ExternalProviders {
  readonly fetch: GuardedFetch
  readonly keys: ProviderKeys
  /** The value of HOLDFAST_ALLOWED_ISSUERS. */
  readonly allowedOrigins: readonly string[]
  /** How long after a sign-in at a provider tokens may be refreshed: HOLDFAST_PROVIDER_REFRESH_HOURS. */
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
