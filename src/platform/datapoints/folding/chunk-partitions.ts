import { monthOf, partitionOf } from '../../../datapoints/chunks/chunk-partition.ts'
import { MONTH } from '../../../datapoints/chunks/pack-series.ts'
import type { Database, Transaction } from '../../../db/sql.ts'
import {
  ensureChunkPartition,
  ensureChunkPartitionWithin,
  listChunkPartitions,
} from '../../../store/datapoints/packed/partitions.ts'

/** The partitions that exist, as far as this process knows, by their first month. */
export class ChunkPartitions {
  readonly #database: Database
  readonly #known = new Set<number>()

  constructor(database: Database) {
    this.#database = database
  }

  async ensure(months: readonly number[]): Promise<void> {
    const wanted = firstMonths(months)
    // Making a partition needs all nodes of a cluster, even if it exists.
    if (wanted.some((first) => !this.#known.has(first)))
      for (const { first } of await this.#database.read(listChunkPartitions)) this.#known.add(first)
    for (const first of wanted) {
      if (this.#known.has(first)) continue
      await ensureChunkPartition(this.#database, first)
      this.#known.add(first)
    }
  }

  /**
   * Makes the partitions of the next weeks, so that folding does not depend on all nodes. `now`: microseconds since
   * 1970.
   */
  ensureAhead(now: number): Promise<void> {
    return this.ensure([monthOf(now), monthOf(now + MONTH)])
  }

  /** Ensures partitions within a transaction, which may still be rolled back. */
  async ensureWithin(sql: Transaction, months: readonly number[]): Promise<void> {
    const wanted = firstMonths(months)
    if (wanted.every((first) => this.#known.has(first))) return
    const there = new Set((await listChunkPartitions(sql)).map(({ first }) => first))
    for (const first of wanted) if (!there.has(first)) await ensureChunkPartitionWithin(sql, first)
  }

  /** Forgets the known partitions, because an empty one may have been dropped. */
  forget(): void {
    this.#known.clear()
  }
}

/** The first months of the partitions that contain these months. */
function firstMonths(months: readonly number[]): number[] {
  return [...new Set(months.map((month) => partitionOf(month).first))]
}
