import { hash } from 'node:crypto'
import type { Actor } from '../platform/access/grants/actor.ts'
import type { Authenticate } from './authenticate.ts'

/** A token is looked up again after this time, because it may have expired. */
const FRESH_MS = 1_000
const MOST_REMEMBERED = 10_000

interface Remembered {
  readonly actor: Promise<Actor | null>
  readonly until: number
  /** The newest access version of the domain that this process knew before the look-up. */
  readonly version: number | null
}

/** Returns the newest known access version of a domain; null if none is known. */
type KnownVersion = (domainId: number) => number | null

/**
 * Looks up each token once a second. Writes still see revoked rights at once if they compare the access version,
 * because each loss of a right raises it. Invalid tokens are not cached, because anybody can send any text.
 */
export class RememberedBearers {
  readonly #known = new Map<string, Remembered>()
  readonly #versions = new WeakMap<Actor, number | null>()
  readonly #now: () => number
  readonly #knownVersion: KnownVersion

  constructor(now: () => number, knownVersion: KnownVersion) {
    this.#now = now
    this.#knownVersion = knownVersion
  }

  /** The access version that was known before this actor was looked up. */
  versionOf(actor: Actor): number | null {
    return this.#versions.get(actor) ?? null
  }

  readonly remember =
    (authenticate: Authenticate): Authenticate =>
    (token, domain) => {
      // The token itself is not stored, because memory may end up in a dump.
      const key = `${domain.id} ${hash('sha256', token, 'base64')}`
      const version = this.#knownVersion(domain.id)
      const remembered = this.#known.get(key)
      if (remembered?.version === version && this.#now() < remembered.until) return remembered.actor
      return this.#lookUp(key, version, () => authenticate(token, domain))
    }

  #lookUp(key: string, version: number | null, look: () => Promise<Actor | null>): Promise<Actor | null> {
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear()
    const actor = look().then((found) => {
      if (found === null) return null
      const own = { ...found }
      this.#versions.set(own, version)
      return own
    })
    this.#known.set(key, { actor, until: this.#now() + FRESH_MS, version })
    const forget = (): void => {
      if (this.#known.get(key)?.actor === actor) this.#known.delete(key)
    }
    actor.then((found) => (found === null ? forget() : undefined), forget)
    return actor
  }
}
