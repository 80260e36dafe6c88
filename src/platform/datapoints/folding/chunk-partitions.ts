import type { Database, Transaction } from '../../../db/sql.ts'
import {
  ensureChunkPartition,
  ensureChunkPartitionWithin,
  listChunkPartitions,
} from '../../../store/datapoints/partitions.ts'

/** The partitions that exist, as far as this process knows. */
export class ChunkPartitions {
  readonly #database: Database
  readonly #known = new Set<number>()

  constructor(database: Database) {
    this.#database = database
  }

  async ensure(months: readonly number[]): Promise<void> {
    for (const month of months) {
      if (this.#known.has(month)) continue
      await ensureChunkPartition(this.#database, month)
      this.#known.add(month)
    }
  }

  /** Ensures partitions within a transaction, which may still be rolled back. */
  async ensureWithin(sql: Transaction, months: readonly number[]): Promise<void> {
    if (months.every((month) => this.#known.has(month))) return
    const there = await listChunkPartitions(sql)
    for (const month of months) if (!there.includes(month)) await ensureChunkPartitionWithin(sql, month)
  }

  /** Forgets what is known, because an empty partition may have been dropped. */
  forget(): void {
    this.#known.clear()
  }
}
