import { cutSegment } from '../../../datapoints/segments/cut-segment.ts'
import { packSegments } from '../../../datapoints/segments/packed-flush.ts'
import type { Segment, SegmentRow } from '../../../datapoints/segments/segment.ts'
import type { Transaction } from '../../../db/sql.ts'
import {
  deleteRows,
  fetchOldestRows,
  fetchSlice,
  keepDamagedRows,
  type BufferRow,
} from '../../../store/datapoints/arriving/buffer-rows.ts'
import { endSlot } from '../../../store/datapoints/arriving/writer-slots.ts'
import { buffersOf } from '../../../store/datapoints/packed/partitions.ts'
import { insertFolded } from './block-merger.ts'
import type { ChunkPartitions } from './chunk-partitions.ts'
import type { FoldedPoints, Raised } from './fold-points.ts'
import type { HotFlush } from './fold-ranges.ts'
import type { FoldThread } from './fold-thread.ts'

export interface FoldParts {
  readonly foldThread: FoldThread
  readonly partitions: ChunkPartitions
  /** In microseconds since 1970. */
  now(): number
}

/** The maximum number of bytes that are folded together, so that they fit into memory. A single flush may have more. */
export const BYTES_OF_FOLD = 16_777_216

/** The result of folding some rows of a buffer. */
export interface FoldedRows {
  readonly folded: readonly Pick<FoldedPoints, 'small' | 'blocks'>[]
  /** The errors of the rows that could not be read. They are kept in `datapoints_hot_damaged`. */
  readonly damaged: readonly string[]
  /** Whether nothing is left. */
  readonly isAll: boolean
}

/**
 * Folds the oldest rows in the buffers of a slot. Nobody can write to the buffers meanwhile. If no row is left, it ends
 * the slot.
 */
export async function foldSlot(sql: Transaction, slot: number, parts: FoldParts & Raised): Promise<FoldedRows> {
  const [folded, damaged]: [FoldedRows['folded'][number][], string[]] = [[], []]
  for (const buffer of buffersOf(slot)) {
    const rows = await foldBuffer(sql, buffer, parts)
    folded.push(...rows.folded)
    damaged.push(...rows.damaged)
    if (!rows.isAll) return { folded, damaged, isAll: false }
  }
  // Readers wait from here on.
  await endSlot(sql, slot)
  return { folded, damaged, isAll: true }
}

/**
 * Folds the oldest rows of a buffer, of one domain or all, and deletes them from the buffer. It does not depend on the
 * memory of any process. Nobody may write to the buffer until the end of the transaction. One transaction folds only
 * some rows, so that the rows of a dead process fit into memory. If this process dies too, a part of the work is done.
 */
export async function foldBuffer(
  sql: Transaction,
  buffer: number,
  parts: FoldParts & Raised,
  domainId: number | null = null,
): Promise<FoldedRows> {
  const { rows, isCut, isAll } = await fetchOldestRows(sql, buffer, BYTES_OF_FOLD, domainId)
  const folding = new Folding(sql, buffer, parts)
  await folding.foldShort(rows.filter(isShort), isCut)
  for (const row of rows) if (!isShort(row)) await folding.foldLong(row)
  const { folded, damaged } = folding
  if (damaged.size > 0) await keepDamagedRows(sql, buffer, [...damaged.keys()])
  await deleteRows(
    sql,
    buffer,
    rows.map(({ place }) => place),
  )
  return { folded, damaged: [...damaged.values()], isAll }
}

/** Throws an error about the rows that cannot be read, if there are any. */
export function failOfDamaged(reasons: readonly string[]): void {
  if (reasons.length === 0) return
  const rows = reasons.length === 1 ? '1 row' : `${reasons.length} rows`
  throw new Error(
    `${rows} cannot be read and stay in the table datapoints_hot_damaged, all others are folded: ${reasons[0]}`,
  )
}

type ShortRow = BufferRow & Segment

function isShort(row: BufferRow): row is ShortRow {
  return row.points !== null
}

/** The folding of some rows of a buffer. */
class Folding {
  readonly folded: Pick<FoldedPoints, 'small' | 'blocks'>[] = []
  /** Reasons by the place of the row. */
  readonly damaged = new Map<string, string>()
  readonly #sql: Transaction
  readonly #buffer: number
  readonly #parts: FoldParts & Raised

  constructor(sql: Transaction, buffer: number, parts: FoldParts & Raised) {
    this.#sql = sql
    this.#buffer = buffer
    this.#parts = parts
  }

  /** Folds rows that are in memory, flush by flush. */
  async foldShort(rows: readonly ShortRow[], arePart: boolean): Promise<void> {
    if (rows.length === 0) return
    const { damaged = [] } = await this.#fold(flushesOf(rows), arePart)
    for (const { index, reason } of damaged) this.damaged.set(rows[index]?.place ?? '', reason)
  }

  /** Folds a row that is read slice by slice. If a slice is damaged, the slices before it are folded. */
  async foldLong({ place, domainId, generation, series, bytes }: BufferRow): Promise<void> {
    const read = (from: number, size: number): Promise<Uint8Array> =>
      fetchSlice(this.#sql, this.#buffer, place, from, size)
    try {
      for await (const segment of cutSegment({ series, bytes, read }))
        await this.#fold(flushesOf([{ ...segment, domainId, generation }]), true)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.damaged.set(place, error.message)
    }
  }

  async #fold(flushes: readonly HotFlush[], arePart: boolean): Promise<FoldedPoints> {
    const { foldThread, partitions, now, raised } = this.#parts
    const folded = await foldThread.flushes({ flushes, arrivedAt: now(), arePart, raised })
    await partitions.ensureWithin(this.#sql, folded.months)
    await insertFolded(this.#sql, folded)
    this.folded.push({ small: folded.small, blocks: folded.blocks })
    return folded
  }
}

type FlushRow = SegmentRow & { readonly domainId: number; readonly generation: number }

/** Rows come by flush. */
function flushesOf(rows: readonly FlushRow[]): HotFlush[] {
  return [...Map.groupBy(rows, ({ generation }) => generation)].map(([generation, own]) => ({
    ...packSegments(own),
    generation,
  }))
}
