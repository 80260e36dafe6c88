import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
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
import type { ExternalProviders } from '../../../platform/access/delegated/external-providers.ts'

/** What an OpenID provider must know us by. */
export interface ExternalClient {
  /** Of the authentication method. */
  readonly method: string
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null
}

/** One for each process. */
const ALL = new WeakMap<ExternalProviders, ProviderConfigurations>()

export function providerConfigurations(external: ExternalProviders): ProviderConfigurations {
  const known = ALL.get(external) ?? new ProviderConfigurations((url, options) => external.fetch(url, options))
  ALL.set(external, known)
  return known
}

const FRESH_MS = 600_000
const MOST_REMEMBERED = 1_000
const TIMEOUT_SECONDS = 5

/** The discovery documents of external providers; each is asked for again after ten minutes, or when its method changes. */
class ProviderConfigurations {
  readonly #fetch: CustomFetch
  readonly #known = new LRUCache<string, Promise<Configuration>>({ max: MOST_REMEMBERED, ttl: FRESH_MS })

  /** `fetch` is all that ever asks a provider for something, so it is what keeps requests out of our own network. */
  constructor(fetch: CustomFetch) {
    this.#fetch = fetch
  }

  open(client: ExternalClient): Promise<Configuration> {
    const key = hash('sha256', JSON.stringify(client))
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const opened = this.#discover(client)
    this.#known.set(key, opened)
    // One that does not answer now may do so the next time.
    opened.catch(() => this.#known.delete(key))
    return opened
  }

  async #discover({ issuer, clientId, clientSecret }: ExternalClient): Promise<Configuration> {
    const url = new URL(issuer)
    const options = {
      [customFetch]: this.#fetch,
      timeout: TIMEOUT_SECONDS,
      // The fetch decides which issuers may do without TLS.
      execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
    }
    const discovered = await discovery(url, clientId, undefined, None(), options)
    const metadata = discovered.serverMetadata()
    const methods = metadata.token_endpoint_auth_methods_supported
    const configuration = new Configuration(metadata, clientId, undefined, clientAuth(clientSecret, methods))
    configuration[customFetch] = this.#fetch
    configuration.timeout = TIMEOUT_SECONDS
    for (const extend of options.execute) extend(configuration)
    // Also the ID token that came over TLS is checked against the provider's keys.
    enableNonRepudiationChecks(configuration)
    return configuration
  }
}

/** Basic is what a provider supports that does not say (OpenID Connect Discovery 1.0, section 3). */
function clientAuth(secret: string | null, supported: readonly string[] = ['client_secret_basic']): ClientAuth {
  if (secret === null) return None()
  return supported.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}
