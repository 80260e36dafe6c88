import { hash } from 'node:crypto'
import { guessedName, type Wait } from '../../../platform/access/sessions/guessing.ts'
import { networkOf, wideNetworkOf } from './network.ts'
import { recentlyUsed } from '../../../lib/recently-used.ts'

/** An attempt to sign in, and its origin. */
export interface Attempt {
  /** The uuid of the domain. */
  readonly domain: string
  /** The login that was typed. */
  readonly login: string
  readonly address: string
  /** The client_id of the application that passes the password on; null in the login UI. */
  readonly clientId: string | null
  /** The id of a browser that has signed in with this account before; null for other browsers. */
  readonly device: string | null
}

/**
 * The maximum number of attempts from one known place that are checked at once. The others are told to try again in a
 * second.
 */
const MOST_AT_ONCE = 50

const MOST_REMEMBERED = 100_000

/** Known places are looked up again after this time, because a new password removes the places of its account. */
const LONGEST_KNOWN_MS = 5 * 60_000

/** Waiting times are looked up again after this time, because another process may have accepted an attempt. */
const LONGEST_MEMORY_MS = 5_000

/**
 * Caches the counts of the database (guessing.ts), so that a flood of attempts does not query it for each one. It has
 * only one limit of its own: the attempts at once from a known place. So the limits are the same in every process and
 * after a restart.
 */
export class Throttle {
  readonly #now: () => number
  /** The places where an account has signed in. */
  readonly #known = recentlyUsed<true>(MOST_REMEMBERED, LONGEST_KNOWN_MS)
  /** The known places whose last attempt was wrong. */
  readonly #wrong = recentlyUsed<true>(MOST_REMEMBERED)
  /** The time until which an unknown place or a network has to wait, and the time until which this entry is trusted. */
  readonly #closed = recentlyUsed<{ readonly until: number; readonly believedUntil: number }>(MOST_REMEMBERED)
  readonly #running = new Map<string, number>()

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Tells whether the account is known to have signed in from this place. */
  knows(attempt: Attempt): boolean {
    return attempt.device !== null || this.#known.has(placeKey(attempt))
  }

  remember(attempt: Attempt): void {
    this.#known.set(placeKey(attempt), true)
    this.#closed.delete(placeKey(attempt))
    this.#wrong.delete(placeKey(attempt))
  }

  /** Records a wrong attempt from a known place. Its attempts are then checked one at a time until one is right. */
  noteWrong(attempt: Attempt): void {
    this.#wrong.set(placeKey(attempt), true)
  }

  /** Records how long an unknown place has to wait. A wait of a network applies to every account. */
  refuse(attempt: Attempt, { seconds, isOfNetwork }: Wait): void {
    const key = isOfNetwork ? networkKey(attempt) : placeKey(attempt)
    const now = this.#now()
    this.#closed.set(key, { until: now + seconds * 1000, believedUntil: now + LONGEST_MEMORY_MS })
  }

  /** Returns the seconds that this account has to wait at this place, if the cache knows them. */
  waitOfPlace(attempt: Attempt): number {
    return this.#waitOf(placeKey(attempt))
  }

  /** Returns the seconds that accounts without a known place in this network have to wait. */
  waitOfNetwork(attempt: Attempt): number {
    return this.#waitOf(networkKey(attempt))
  }

  /**
   * Runs an attempt from a known place; null if too many are running. An attempt counts only after it was wrong, so a
   * thousand at once would otherwise pass the limit.
   */
  async runKnown<T>(attempt: Attempt, work: () => Promise<T>): Promise<T | null> {
    const key = placeKey(attempt)
    const running = this.#running.get(key) ?? 0
    if (running >= (this.#wrong.has(key) ? 1 : MOST_AT_ONCE)) return null
    this.#running.set(key, running + 1)
    try {
      return await work()
    } finally {
      const left = (this.#running.get(key) ?? 1) - 1
      if (left === 0) this.#running.delete(key)
      else this.#running.set(key, left)
    }
  }

  #waitOf(key: string): number {
    const closed = this.#closed.get(key)
    const now = this.#now()
    if (closed === undefined || closed.believedUntil <= now) return 0
    return Math.ceil(Math.max(0, closed.until - now) / 1000)
  }
}

function placeKey(attempt: Attempt): string {
  const { domain, address, device } = attempt
  return keyOf(domain, loginOf(attempt), device === null ? networkOf(address) : `device ${device}`)
}

function networkKey({ domain, address }: Attempt): string {
  return keyOf(domain, wideNetworkOf(address))
}

/** Returns the normal form of the login, because other spellings must not allow more attempts. */
export function loginOf({ login }: Pick<Attempt, 'login'>): string {
  return guessedName(login)
}

/** Returns a key of fixed length, even if the login is long. */
function keyOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
