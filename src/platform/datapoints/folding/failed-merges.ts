import { Attempts } from '../../../lib/attempts.ts'
import { DamagedPoints } from '../damaged-points.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../../db/sql-error.ts'

/**
 * Works on things together, and on ever smaller parts of them where something is damaged, so that all others are done. It
 * fails in the end with what is damaged.
 */
export async function apartFromDamaged<T>(
  all: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  try {
    await work(all)
  } catch (error) {
    if (!(error instanceof DamagedPoints) || all.length <= 1) throw error
    const middle = all.length >> 1
    const attempts = new Attempts()
    for (const half of [all.slice(0, middle), all.slice(middle)])
      await attempts.make(() => apartFromDamaged(half, work))
    attempts.end()
  }
}

/** The most turns, which is some minutes. */
const LONGEST_REST = 1_024

interface Rest {
  readonly failures: number
  readonly until: number
}

/** The blocks that could not be merged. Each rests for twice as many turns as the last time, while the others go on. */
export class FailedBlocks {
  readonly #rests = new Map<string, Rest>()
  #turn = 0

  beginTurn(): void {
    this.#turn += 1
  }

  has(key: string): boolean {
    return (this.#rests.get(key)?.until ?? 0) > this.#turn
  }

  failed(key: string): void {
    const failures = (this.#rests.get(key)?.failures ?? 0) + 1
    this.#rests.set(key, { failures, until: this.#turn + Math.min(2 ** failures, LONGEST_REST) })
  }

  succeeded(key: string): void {
    this.#rests.delete(key)
  }

  /** Forgets the blocks that are gone. */
  keep(keys: { has(key: string): boolean }): void {
    for (const key of this.#rests.keys()) if (!keys.has(key)) this.#rests.delete(key)
  }
}

/** No row meets so many others with keys that follow each other: a long text may be sent for one time again and again. */
const MOST_RAISED = 65_535

/**
 * Makes rows, and again with the generation of each one raised further where one would get the key of a row that stays. Readers
 * find rows by their generation and then look at that of each point, so a row may have a higher one than its points. `work`
 * is a transaction of its own.
 */
export async function withFreeKeys<T>(work: (raised: number) => Promise<T>): Promise<T> {
  for (let raised = 0; ; raised = raised * 2 + 1) {
    try {
      return await work(raised)
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || raised >= MOST_RAISED) throw error
    }
  }
}
