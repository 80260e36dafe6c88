/** Who goes first where several wait. */
export type Rank = 'known' | 'own' | 'stranger'

const RANKS: readonly Rank[] = ['known', 'own', 'stranger']

/**
 * Lets so many run at once; the others wait in line, each rank before those after it. Of strangers fewer run at once than
 * of all, where the number allows it: whoever comes first by rank need not wait for one of theirs.
 */
export class Semaphore {
  #free: number
  #strangersFree: number
  readonly #lines = new Map<Rank, (() => void)[]>(RANKS.map((rank) => [rank, []]))

  constructor(most: number, mostStrangers = most) {
    this.#free = most
    this.#strangersFree = mostStrangers
  }

  get waiting(): number {
    return RANKS.reduce((sum, rank) => sum + this.#line(rank).length, 0)
  }

  async run<T>(work: () => Promise<T>, rank: Rank = 'own'): Promise<T> {
    if (this.#mayRun(rank)) this.#take(rank)
    else await new Promise<void>((resolve) => this.#line(rank).push(resolve))
    try {
      return await work()
    } finally {
      this.#giveBack(rank)
    }
  }

  #mayRun(rank: Rank): boolean {
    return this.#free > 0 && (rank !== 'stranger' || this.#strangersFree > 0)
  }

  #take(rank: Rank): void {
    this.#free -= 1
    if (rank === 'stranger') this.#strangersFree -= 1
  }

  /** Whoever is next takes over this turn. */
  #giveBack(rank: Rank): void {
    this.#free += 1
    if (rank === 'stranger') this.#strangersFree += 1
    const next = RANKS.find((other) => this.#line(other).length > 0 && this.#mayRun(other))
    if (next === undefined) return
    this.#take(next)
    this.#line(next).shift()?.()
  }

  #line(rank: Rank): (() => void)[] {
    return this.#lines.get(rank) ?? []
  }
}
