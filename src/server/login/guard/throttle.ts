import { hash } from 'node:crypto'
import { guessedName, type Wait } from '../../../platform/access/sessions/guessing.ts'
import { networkOf, wideNetworkOf } from './network.ts'
import { recentlyUsed } from '../../../lib/recently-used.ts'

/** An attempt to sign in, and where it comes from. */
export interface Attempt {
  /** The uuid of the domain. */
  readonly domain: string
  /** The login as it was typed. */
  readonly login: string
  readonly address: string
  /** The client_id of the application that passes the password on; null in the login UI. */
  readonly clientId: string | null
  /** The id of a browser that this account has signed in with before; null for all others. */
  readonly device: string | null
}

/** The attempts from one known place that are checked at once. The others are told to come back in a second. */
const MOST_AT_ONCE = 50

const MOST_REMEMBERED = 100_000

/** A new password forgets the places of its account, so the database is asked again. */
const LONGEST_KNOWN_MS = 5 * 60_000

/** Another process may have let an attempt in meanwhile, so the database is soon asked again. */
const LONGEST_MEMORY_MS = 5_000

/**
 * A process's copy of the counts in the database (guessing.ts), so that a flood of attempts does not ask for each.
 * Except for known places at once, it has no limits of its own, so people meet the same limits in every process and
 * after a restart.
 */
export class Throttle {
  readonly #now: () => number
  /** The places where an account has signed in. */
  readonly #known = recentlyUsed<true>(MOST_REMEMBERED, LONGEST_KNOWN_MS)
  /** The known places whose last attempt was wrong. */
  readonly #wrong = recentlyUsed<true>(MOST_REMEMBERED)
  /** Until when an unknown place or a network is closed, and until when that is believed. */
  readonly #closed = recentlyUsed<{ readonly until: number; readonly believedUntil: number }>(MOST_REMEMBERED)
  readonly #running = new Map<string, number>()

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Tells whether the account is remembered to have signed in from there before. */
  knows(attempt: Attempt): boolean {
    return attempt.device !== null || this.#known.has(placeKey(attempt))
  }

  remember(attempt: Attempt): void {
    this.#known.set(placeKey(attempt), true)
    this.#closed.delete(placeKey(attempt))
    this.#wrong.delete(placeKey(attempt))
  }

  /** Remembers a wrong attempt from a known place, from which one after the other is checked until one is right. */
  noteWrong(attempt: Attempt): void {
    this.#wrong.set(placeKey(attempt), true)
  }

  /** Remembers that a place that is not known has to wait. A closed network closes it for every account. */
  refuse(attempt: Attempt, { seconds, isOfNetwork }: Wait): void {
    const key = isOfNetwork ? networkKey(attempt) : placeKey(attempt)
    const now = this.#now()
    this.#closed.set(key, { until: now + seconds * 1000, believedUntil: now + LONGEST_MEMORY_MS })
  }

  /** The seconds that this account has to wait there, as far as they are remembered. */
  waitOfPlace(attempt: Attempt): number {
    return this.#waitOf(placeKey(attempt))
  }

  /** The seconds that all accounts that are not known there have to wait. */
  waitOfNetwork(attempt: Attempt): number {
    return this.#waitOf(networkKey(attempt))
  }

  /**
   * Runs an attempt from a known place, which counts only after it was wrong; null if too many of them run, since
   * a thousand at once would otherwise pass as one.
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

/** The login in its normal form, because another spelling must not allow more attempts. */
export function loginOf({ login }: Pick<Attempt, 'login'>): string {
  return guessedName(login)
}

/** A key of fixed length, however long the login is. */
function keyOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
