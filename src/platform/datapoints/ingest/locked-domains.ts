interface Rest {
  readonly ms: number
  readonly until: number
}

const SHORTEST_MS = 20
const LONGEST_MS = 320

/** A rest that ended so long ago was for another change of the model. */
const OVER_MS = 1_000

/**
 * The domains whose model was just being changed when something of them was to be stored. Each rests for twice as long as the
 * last time before it is tried again, while the others go on.
 */
export class LockedDomains {
  readonly #rests = new Map<number, Rest>()

  isResting(domainId: number, now: number): boolean {
    return now < (this.#rests.get(domainId)?.until ?? 0)
  }

  rest(domainId: number, now: number): void {
    const last = this.#rests.get(domainId)
    const isOver = last === undefined || now - last.until >= OVER_MS
    const ms = isOver ? SHORTEST_MS : Math.min(2 * last.ms, LONGEST_MS)
    this.#rests.set(domainId, { ms, until: now + ms })
  }

  end(domainId: number): void {
    this.#rests.delete(domainId)
  }

  /** For how long it takes until one of them is to be tried again. */
  nextMs(now: number): number {
    const resting = Array.from(this.#rests.values(), ({ until }) => until - now).filter((ms) => ms > 0)
    return Math.min(...resting, LONGEST_MS)
  }
}
