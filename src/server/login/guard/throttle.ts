import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { networkOf } from './network.ts'

/** Who tries to sign in, from where. */
export interface Attempt {
  /** The domain's uuid. */
  readonly domain: string
  /** As it was typed. */
  readonly login: string
  readonly address: string
  /** Of the application that passes the password on; null in the login UI. */
  readonly clientId: string | null
  /** The browser's own id, where this account has signed in with it before; null for all others. */
  readonly device: string | null
}

export interface Verdict {
  readonly allowed: boolean
  /** 0 where it is allowed. */
  readonly retryAfterSeconds: number
}

/** So many attempts may fail at once, then one more each time that so many milliseconds have passed. */
interface Rate {
  readonly burst: number
  readonly each: number
}

/** One account from one address or with one device: somebody who has forgotten, or somebody who guesses. */
const ACCOUNT: Rate = { burst: 10, each: 60_000 }
/** The same where that account has signed in before: programs do that many at once, and an attempt is held as failed until it is done. */
const KNOWN: Rate = { burst: 50, each: 60_000 }
/** One address with any accounts: an office behind one address, or somebody who tries one password on everybody. */
const ADDRESS: Rate = { burst: 50, each: 6_000 }
/** One application with any accounts. */
const CLIENT: Rate = { burst: 600, each: 100 }

const MOST_REMEMBERED = 100_000

/**
 * The first line against whoever tries passwords: in this process, before anything is asked of the database, where
 * guessing.ts counts for all of them. Only wrong attempts count, and none of them locks an account:
 * whoever floods one uses up what is allowed from there, not what its owner may do from elsewhere, with a browser that
 * signed in before, or from an address that did.
 */
export class Throttle {
  readonly #now: () => number
  /** When what has failed is forgotten; each failure puts it off by the rate's time (GCRA, as in ATM networks). */
  readonly #clearAt = new LRUCache<string, number>({ max: MOST_REMEMBERED })
  /** From where an account has signed in: what others do there does not stop it. */
  readonly #known = new LRUCache<string, true>({ max: MOST_REMEMBERED })

  /** `now` in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Takes the attempt as failed until it is known to have succeeded, so that a hundred at once are not let through as one. */
  attempt(attempt: Attempt): Verdict {
    const limits = this.#limitsOf(attempt)
    const wait = Math.max(...limits.map(([key, rate]) => this.#waitFor(key, rate)))
    if (wait > 0) return { allowed: false, retryAfterSeconds: Math.ceil(wait / 1000) }
    for (const [key, { each }] of limits) this.#clearAt.set(key, this.#clearTime(key) + each)
    return { allowed: true, retryAfterSeconds: 0 }
  }

  /** The password was right: the account starts afresh from here, and the address and the client get theirs back. */
  succeeded(attempt: Attempt): void {
    for (const [key, rate] of this.#limitsOf(attempt)) {
      if (rate === ACCOUNT || rate === KNOWN) this.#clearAt.delete(key)
      else this.#clearAt.set(key, this.#clearTime(key) - rate.each)
    }
    this.#known.set(placeOf(attempt), true)
  }

  /** Whether the account has signed in from there before. */
  knows(attempt: Attempt): boolean {
    return attempt.device !== null || this.#known.has(placeOf(attempt))
  }

  #limitsOf(attempt: Attempt): readonly (readonly [key: string, rate: Rate])[] {
    const { domain, address, clientId, device } = attempt
    if (device !== null) return [[keyOf('device', domain, loginOf(attempt), device), KNOWN]]
    const place = placeOf(attempt)
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

function placeOf(attempt: Attempt): string {
  return keyOf('account', attempt.domain, loginOf(attempt), networkOf(attempt.address))
}

/** As the store compares them; another spelling must not give more attempts. */
export function loginOf({ login }: Pick<Attempt, 'login'>): string {
  return login.normalize('NFKC').trim().toLowerCase()
}

/** Of one length, however long the login is that somebody sends. */
function keyOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
