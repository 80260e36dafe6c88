import { Attempts } from '../../../lib/attempts.ts'
import { DamagedPoints } from '../damaged-points.ts'
import { isUniqueViolation } from '../../../db/sql-error.ts'

/**
 * Works on all items together. If an item is damaged, it works on smaller and smaller parts, so that all other items
 * are done. At the end it throws an error about the damaged items.
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

/** The maximum number of turns in which a failed merge is not tried again: some minutes. */
const LONGEST_REST = 1_024

interface Rest {
  readonly failures: number
  readonly until: number
}

/**
 * The blocks that could not be merged. Each rests for twice as many turns as the last time, while the other blocks
 * continue.
 */
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

  /** Forgets blocks that no longer exist. */
  keep(keys: { has(key: string): boolean }): void {
    for (const key of this.#rests.keys()) if (!keys.has(key)) this.#rests.delete(key)
  }
}

/**
 * No row meets this many other rows with consecutive keys. (A client may send a long text for the same time again and
 * again.)
 */
const MOST_RAISED = 65_535

/**
 * Makes rows. If a row would get the key of a row that stays, it makes the rows again with higher generations. A row
 * may have a higher generation than its points: readers find rows by their generation, and then check each point.
 * `work` is a separate transaction.
 */
export async function withFreeKeys<T>(work: (raised: number) => Promise<T>): Promise<T> {
  for (let raised = 0; ; raised = raised * 2 + 1) {
    try {
      return await work(raised)
    } catch (error) {
      if (!isUniqueViolation(error) || raised >= MOST_RAISED) throw error
    }
  }
}
