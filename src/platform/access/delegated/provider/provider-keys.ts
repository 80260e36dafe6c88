import type { CompactJWSHeaderParameters, CryptoKey, JWK, LocalJWKSet } from 'jose'
import { HoldfastError } from '../../../../lib/errors.ts'
import { recentlyUsed } from '../../../../lib/recently-used.ts'
import { isObject } from '../../../../lib/json.ts'
import { UnreachableError, type GuardedFetch } from './guarded-fetch.ts'
import { descriptionAddress, readDocument } from './provider-document.ts'

/** After this time a key set is requested again. */
const FRESH_MS = 10 * 60_000
/** A key set is used up to this age while the provider does not answer. */
const USABLE_MS = 60 * 60_000
/** The least time between two requests to a provider, even if many tokens name an unknown key. */
const PAUSE_MS = 30_000
const MOST_ISSUERS = 1_000

interface KnownKeys {
  /** Finds the key for the header of a token. Keys are imported once. */
  readonly keys: LocalJWKSet | null
  readonly fetchedAt: number
  /** The time of the last request, including failed ones. */
  readonly askedAt: number
  readonly failure: HoldfastError | null
}

export type JoseHeader = CompactJWSHeaderParameters

/** The public keys of other providers. One collection per process, because the keys are the same for every domain. */
export class ProviderKeys {
  readonly #fetch: GuardedFetch
  readonly #now: () => Date
  readonly #known = recentlyUsed<KnownKeys>(MOST_ISSUERS)
  readonly #underway = new Map<string, Promise<KnownKeys>>()

  constructor(fetch: GuardedFetch, now: () => Date) {
    this.#fetch = fetch
    this.#now = now
  }

  /** Finds the key that a token names among this issuer's. Fails as UNAVAILABLE, or with an error of `jose`. */
  async find(issuer: string, header: JoseHeader): Promise<CryptoKey> {
    const known = await this.#keysOf(issuer)
    try {
      return await keyAmong(known, header)
    } catch (error) {
      if (!isUnknownKey(error) || !this.#mayAsk(known)) throw error
      return keyAmong(await this.#ask(issuer, known), header)
    }
  }

  async #keysOf(issuer: string): Promise<KnownKeys> {
    const known = this.#known.get(issuer)
    if (known === undefined) return this.#ask(issuer, NOTHING)
    return this.#ageOf(known.fetchedAt) > FRESH_MS && this.#mayAsk(known) ? this.#ask(issuer, known) : known
  }

  #mayAsk({ askedAt }: KnownKeys): boolean {
    return this.#ageOf(askedAt) >= PAUSE_MS
  }

  /** The absolute age, so that a clock that was set back does not keep old keys. */
  #ageOf(time: number): number {
    return Math.abs(this.#now().getTime() - time)
  }

  /** Requests the keys once for all callers that wait for them. */
  #ask(issuer: string, known: KnownKeys): Promise<KnownKeys> {
    const underway = this.#underway.get(issuer)
    if (underway !== undefined) return underway
    const asking = this.#fetchKeys(issuer, known).finally(() => this.#underway.delete(issuer))
    this.#underway.set(issuer, asking)
    return asking
  }

  async #fetchKeys(issuer: string, known: KnownKeys): Promise<KnownKeys> {
    const askedAt = this.#now().getTime()
    const next = await fetchKeySet(this.#fetch, issuer).then(
      (keys): KnownKeys => ({ keys, fetchedAt: askedAt, askedAt, failure: null }),
      (error: unknown): KnownKeys => {
        if (!(error instanceof HoldfastError)) throw error
        const isUsable = Math.abs(askedAt - known.fetchedAt) < USABLE_MS
        return { keys: isUsable ? known.keys : null, fetchedAt: known.fetchedAt, askedAt, failure: error }
      },
    )
    this.#known.set(issuer, next)
    return next
  }
}

const NOTHING: KnownKeys = { keys: null, fetchedAt: -Infinity, askedAt: -Infinity, failure: null }

async function keyAmong({ keys, failure }: KnownKeys, header: JoseHeader): Promise<CryptoKey> {
  if (keys === null) throw failure ?? new Error('keys are there, or the reason why not')
  return keys(header)
}

function isUnknownKey(error: unknown): boolean {
  return isObject(error) && error['code'] === 'ERR_JWKS_NO_MATCHING_KEY'
}

/** Reads the keys by the provider's own description (OpenID Connect Discovery 1.0, section 4). */
async function fetchKeySet(fetch: GuardedFetch, issuer: string): Promise<LocalJWKSet> {
  const description = await fetchObject(fetch, issuer, descriptionAddress(issuer))
  const { jwks_uri: address } = description
  // A description that names another issuer must not be trusted (section 4.3).
  if (description['issuer'] !== issuer) throw unavailable(issuer, 'its description names another issuer')
  if (typeof address !== 'string' || !URL.canParse(address)) throw unavailable(issuer, 'its description names no keys')
  const { keys } = await fetchObject(fetch, issuer, address)
  if (!Array.isArray(keys) || !keys.every(isObject)) throw unavailable(issuer, 'its keys are not a JSON Web Key Set')
  // The library is loaded when the first token of another provider arrives.
  const { createLocalJWKSet } = await import('jose')
  const usable = keys.filter(({ kty }) => typeof kty === 'string' && kty !== 'oct')
  return createLocalJWKSet({ keys: usable.map(withoutOthers) })
}

/** The members by which a key is chosen and imported. All others could take ten times as much memory. */
const MEMBERS = ['kty', 'kid', 'alg', 'use', 'key_ops', 'ext', 'crv', 'n', 'e', 'x', 'y', 'd']

function withoutOthers(key: { readonly [member: string]: unknown }): JWK {
  const members = MEMBERS.map((name) => [name, key[name]] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

async function fetchObject(fetch: GuardedFetch, issuer: string, address: string): Promise<{ [key: string]: unknown }> {
  try {
    return await readDocument(fetch, address)
  } catch (cause) {
    if (cause instanceof UnreachableError) throw unavailable(issuer, cause.message, cause)
    throw cause
  }
}

function unavailable(issuer: string, reason: string, cause?: unknown): HoldfastError {
  const message = `the keys of ${issuer} cannot be fetched: ${reason}`
  return new HoldfastError('UNAVAILABLE', message, cause === undefined ? {} : { cause })
}
