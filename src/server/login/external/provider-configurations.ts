import { hash } from 'node:crypto'
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ClientAuth,
  type CustomFetch,
} from 'openid-client'
import type { ExternalProviders } from '../../../platform/access/delegated/provider/external-providers.ts'
import { recentlyUsed } from '../../../lib/recently-used.ts'

/** The client registration of this platform at an OpenID provider. */
export interface ExternalClient {
  /** The uuid of the authentication method. */
  readonly method: string
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which is protected only by PKCE. */
  readonly clientSecret: string | null
}

/** Each process has one collection. */
const ALL = new WeakMap<ExternalProviders, ProviderConfigurations>()

export function providerConfigurations(external: ExternalProviders): ProviderConfigurations {
  const known = ALL.get(external) ?? new ProviderConfigurations((url, options) => external.fetch(url, options))
  ALL.set(external, known)
  return known
}

const FRESH_MS = 600_000
/** The description and the keys of a provider may take 3 MB. */
const MOST_REMEMBERED = 100
const TIMEOUT_SECONDS = 5

/** Caches the discovery documents of external providers. Each is kept for ten minutes, or until its method changes. */
class ProviderConfigurations {
  readonly #fetch: CustomFetch
  readonly #known = recentlyUsed<Promise<Configuration>>(MOST_REMEMBERED, FRESH_MS)

  /** All requests to providers use `fetch`, which blocks addresses of internal networks. */
  constructor(fetch: CustomFetch) {
    this.#fetch = fetch
  }

  open(client: ExternalClient): Promise<Configuration> {
    const key = hash('sha256', JSON.stringify(client))
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const opened = this.#discover(client)
    this.#known.set(key, opened)
    // The provider did not answer, but may do so next time.
    opened.catch(() => this.#known.delete(key))
    return opened
  }

  async #discover({ issuer, clientId, clientSecret }: ExternalClient): Promise<Configuration> {
    const url = new URL(issuer)
    const options = {
      [customFetch]: this.#fetch,
      timeout: TIMEOUT_SECONDS,
      // `fetch` decides which issuers may be requested without TLS.
      execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
    }
    const discovered = await discovery(url, clientId, undefined, None(), options)
    const metadata = discovered.serverMetadata()
    const methods = metadata.token_endpoint_auth_methods_supported
    const configuration = new Configuration(metadata, clientId, undefined, clientAuth(clientSecret, methods))
    configuration[customFetch] = this.#fetch
    configuration.timeout = TIMEOUT_SECONDS
    for (const extend of options.execute) extend(configuration)
    // The ID token is checked against the provider's keys, even though it came over TLS.
    enableNonRepudiationChecks(configuration)
    return configuration
  }
}

/**
 * Chooses the authentication at the token endpoint. A provider that lists no method supports Basic (OpenID Connect
 * Discovery 1.0, section 3).
 */
function clientAuth(secret: string | null, supported: readonly string[] = ['client_secret_basic']): ClientAuth {
  if (secret === null) return None()
  return supported.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}
