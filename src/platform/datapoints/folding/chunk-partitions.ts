import type { Database, Transaction } from '../../../db/sql.ts'
import {
  ensureChunkPartition,
  ensureChunkPartitionWithin,
  listChunkPartitions,
} from '../../../store/datapoints/partitions.ts'

/** Which partitions there are, as far as this process has seen to it. */
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

  /** The same in a transaction, which may still be undone. */
  async ensureWithin(sql: Transaction, months: readonly number[]): Promise<void> {
    if (months.every((month) => this.#known.has(month))) return
    const there = await listChunkPartitions(sql)
    for (const month of months) if (!there.includes(month)) await ensureChunkPartitionWithin(sql, month)
  }

  /** One may have been dropped that was empty: they are asked for again. */
  forget(): void {
    this.#known.clear()
  }
}
