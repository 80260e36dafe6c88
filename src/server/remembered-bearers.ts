import { hash } from 'node:crypto'
import type { Actor } from '../platform/access/grants/actor.ts'
import type { Authenticate } from './authenticate.ts'

/** A token is looked up again after so long: it may have expired. */
const FRESH_MS = 1_000
const MOST_REMEMBERED = 10_000

interface Remembered {
  readonly actor: Promise<Actor | null>
  readonly until: number
  /** What was the newest access version that this process knew of before it began to look. */
  readonly version: number | null
}

/** The newest access version of a domain that is known; null where none is. */
type KnownVersion = (domainId: number) => number | null

/**
 * Asks about a token once a second. That is exact all the same where what is done with it is compared with the access
 * version before it is stored: whatever takes a right away raises it. What is not good is not remembered: anybody can
 * send any text.
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
      // Not the token itself: memory may end in a dump.
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
