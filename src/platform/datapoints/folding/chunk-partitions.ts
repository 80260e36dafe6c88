import { partitionOf } from '../../../datapoints/chunks/chunk-partition.ts'
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
    for (const first of firstMonths(months)) {
      if (this.#known.has(first)) continue
      await ensureChunkPartition(this.#database, first)
      this.#known.add(first)
    }
  }

  /** Ensures partitions within a transaction, which may still be rolled back. */
  async ensureWithin(sql: Transaction, months: readonly number[]): Promise<void> {
    const wanted = firstMonths(months)
    if (wanted.every((first) => this.#known.has(first))) return
    const there = new Set((await listChunkPartitions(sql)).map(({ first }) => first))
    for (const first of wanted) if (!there.has(first)) await ensureChunkPartitionWithin(sql, first)
  }

  /** Forgets what is known, because an empty partition may have been dropped. */
  forget(): void {
    this.#known.clear()
  }
}

/** The first months of the partitions that these months are in. */
function firstMonths(months: readonly number[]): number[] {
  return [...new Set(months.map((month) => partitionOf(month).first))]
}
