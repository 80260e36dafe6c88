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
    await new Promise<void>((resolve) => {
      this.#line(rank).push(resolve)
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#free += 1
      if (rank === 'stranger') this.#strangersFree += 1
      this.#admit()
    }
  }

  #admit(): void {
    for (const rank of RANKS) {
      while (this.#free > 0 && (rank !== 'stranger' || this.#strangersFree > 0)) {
        const next = this.#line(rank).shift()
        if (next === undefined) break
        this.#free -= 1
        if (rank === 'stranger') this.#strangersFree -= 1
        next()
      }
    }
  }

  #line(rank: Rank): (() => void)[] {
    return this.#lines.get(rank) ?? []
  }
}
