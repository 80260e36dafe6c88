import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { networkOf } from './network.ts'

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

export interface Verdict {
  readonly allowed: boolean
  /** 0 where the attempt is allowed. */
  readonly retryAfterSeconds: number
}

/** A number of attempts may fail at once, and one more whenever the given milliseconds have passed. */
interface Rate {
  readonly burst: number
  readonly each: number
}

/** One account from one address or with one device: an owner who forgot the password, or an attacker. */
const ACCOUNT: Rate = { burst: 10, each: 60_000 }
/**
 * The same where that account has signed in before. Programs sign in that often at once, and an attempt counts as
 * failed until it is done.
 */
const KNOWN: Rate = { burst: 50, each: 60_000 }
/** One address with any accounts: an office behind one address, or one password tried on everyone. */
const ADDRESS: Rate = { burst: 50, each: 6_000 }
/** One application with any accounts. */
const CLIENT: Rate = { burst: 600, each: 100 }

const MOST_REMEMBERED = 100_000

/**
 * The first protection against guessing, in this process and before the database is asked, where guessing.ts counts
 * for all processes. Only wrong attempts count, and none of them locks an account. A flood of attempts uses up what
 * is allowed from its address, and not what the owner may do from elsewhere, with a browser that signed in before, or
 * from an address that did.
 */
export class Throttle {
  readonly #now: () => number
  /**
   * The time when failures are forgotten. Each failure moves it by the time of the rate (GCRA, as in ATM networks).
   */
  readonly #clearAt = new LRUCache<string, number>({ max: MOST_REMEMBERED })
  /** The places where an account has signed in. Attempts of other accounts there do not stop it. */
  readonly #known = new LRUCache<string, true>({ max: MOST_REMEMBERED })

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts an attempt as failed until it has succeeded, so that a hundred at once do not pass as one. */
  attempt(attempt: Attempt): Verdict {
    const limits = this.#limitsOf(attempt)
    const wait = Math.max(...limits.map(([key, rate]) => this.#waitFor(key, rate)))
    if (wait > 0) return { allowed: false, retryAfterSeconds: Math.ceil(wait / 1000) }
    for (const [key, { each }] of limits) this.#clearAt.set(key, this.#clearTime(key) + each)
    return { allowed: true, retryAfterSeconds: 0 }
  }

  /**
   * Takes the count of a successful attempt back: the account's count from here is cleared, and the address and the
   * client get theirs back.
   */
  succeeded(attempt: Attempt): void {
    for (const [key, rate] of this.#limitsOf(attempt)) {
      if (rate === ACCOUNT || rate === KNOWN) this.#clearAt.delete(key)
      else this.#clearAt.set(key, this.#clearTime(key) - rate.each)
    }
    this.#known.set(placeKey(attempt), true)
  }

  /** Tells whether the account has signed in from there before. */
  knows(attempt: Attempt): boolean {
    return attempt.device !== null || this.#known.has(placeKey(attempt))
  }

  #limitsOf(attempt: Attempt): readonly (readonly [key: string, rate: Rate])[] {
    const { domain, address, clientId, device } = attempt
    if (device !== null) return [[keyOf('device', domain, loginOf(attempt), device), KNOWN]]
    const place = placeKey(attempt)
    if (this.#known.has(place)) return [[place, KNOWN]]
    const client = clientId === null ? [] : [[keyOf('client', domain, clientId), CLIENT] as const]
    return [[place, ACCOUNT], [keyOf('address', domain, networkOf(address)), ADDRESS], ...client]
  }

  #waitFor(key: string, { burst, each }: Rate): number {
    return Math.max(0, this.#clearTime(key) - this.#now() - (burst - 1) * each)
  }

  #clearTime(key: string): number {
    return Math.max(this.#now(), this.#clearAt.get(key) ?? 0)
  }
}

function placeKey(attempt: Attempt): string {
  return keyOf('account', attempt.domain, loginOf(attempt), networkOf(attempt.address))
}

/** The login in its normal form, because another spelling must not allow more attempts. */
export function loginOf({ login }: Pick<Attempt, 'login'>): string {
  return login.normalize('NFKC').trim().toLowerCase()
}

/** A key of fixed length, however long the login is. */
function keyOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
