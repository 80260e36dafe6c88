interface Rest {
  readonly ms: number
  readonly until: number
}

const SHORTEST_MS = 20
const LONGEST_MS = 320

/** A rest that ended this long ago was caused by another change of the model. */
const OVER_MS = 1_000

/** The number of a domain whose model is being changed, or the text of a key with which a batch is being stored. */
export type Lock = number | string

/** The locks that could not be acquired. Each rests twice as long as last time; other work continues meanwhile. */
export class RestingLocks {
  readonly #rests = new Map<Lock, Rest>()

  get size(): number {
    return this.#rests.size
  }

  isResting(lock: Lock, now: number): boolean {
    return now < (this.#rests.get(lock)?.until ?? 0)
  }

  rest(lock: Lock, now: number): void {
    for (const [one, { until }] of this.#rests) if (now - until >= OVER_MS) this.#rests.delete(one)
    const last = this.#rests.get(lock)
    const ms = last === undefined ? SHORTEST_MS : Math.min(2 * last.ms, LONGEST_MS)
    this.#rests.set(lock, { ms, until: now + ms })
  }

  end(lock: Lock): void {
    this.#rests.delete(lock)
  }

  /** The milliseconds until the first lock is due for the next attempt. */
  nextMs(now: number): number {
    const resting = Array.from(this.#rests.values(), ({ until }) => until - now).filter((ms) => ms > 0)
    return Math.min(...resting, LONGEST_MS)
  }
}
