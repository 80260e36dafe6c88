import type { Database } from '../db/sql.ts'
import { HoldfastError } from '../lib/errors.ts'

/** The priorities of waiting tasks, highest first. */
export type Rank = 'known' | 'own' | 'stranger'

const RANKS: readonly Rank[] = ['known', 'own', 'stranger']

/**
 * Runs at most a number of tasks at once. The others wait in line, by rank. Strangers get fewer turns than there are,
 * if the number allows it, so that higher ranks need not wait for a stranger.
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

  /** Gives the turn to the next task. */
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

/**
 * The same database for work that may only use a few connections at once, so that other work has connections left.
 * Further statements wait in line, and fail once `left` has fired. The scripts of a start, and work with its own
 * connections, are not limited.
 */
export function onFewConnections(database: Database, most: number, left?: AbortSignal): Database {
  const turns = new Semaphore(most)
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    turns.run(() => {
      if (left?.aborted === true) throw new HoldfastError('UNAVAILABLE', 'the client has disconnected')
      return work()
    })
  return {
    ...database,
    read: (work) => inTurn(() => database.read(work)),
    transaction: (work) => inTurn(() => database.transaction(work)),
    rows: (shape, text, values) => inTurn(() => database.rows(shape, text, values)),
    statement: (text, values) => inTurn(() => database.statement(text, values)),
  }
}
