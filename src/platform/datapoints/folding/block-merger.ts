import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import { FULL, isLasting, LASTING, levelAfter, POINTS_OF_LEVEL } from '../../../datapoints/segments/block-levels.ts'
import { dayOf } from '../../../datapoints/segments/divide-points.ts'
import type { Database, Transaction } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import {
  BYTES_AT_ONCE,
  encodeBlockRows,
  fetchSeriesOfBlock,
  insertBlocks,
  listDueRows,
  takeBlock,
  type TakenBlock,
} from '../../../store/datapoints/packed/blocks.ts'
import { insertChunks } from '../../../store/datapoints/packed/chunks.ts'
import { DamagedPoints } from '../damaged-points.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import type { ChunkPartitions } from './chunk-partitions.ts'
import type { BlockPlace, FoldedPoints, NewBlock } from './fold-points.ts'
import type { FoldThread } from './fold-thread.ts'
import { FailedBlocks, withFreeKeys } from './failed-merges.ts'

interface BlockMergerParts {
  readonly database: Database
  readonly foldThread: FoldThread
  readonly partitions: ChunkPartitions
  readonly merger: ChunkMerger
  /** This many rows of one level become one row of the next. */
  readonly rowsOfLevel: number
  /** When a series has this many old points in its block, they leave the block as chunks. */
  readonly leastOfChunk: number
}

/** The known facts about the rows of one block. */
interface Noted {
  readonly domainId: number
  readonly block: number
  /** The number of rows of each level. */
  readonly rows: number[]
  /** The number of points of each level. */
  readonly points: number[]
  /** The number of bytes of each level. */
  readonly bytes: number[]
  /** The arrival of the oldest points in recent rows, in microseconds since 1970. */
  arrivedAt: number
}

interface NotedLevel extends BlockPlace {
  readonly domainId: number
  readonly block: number
  readonly rows: number
  readonly points: number
  readonly bytes: number
}

/** Rows of one level become one row of the next even if their texts are so long that most of them will leave. */
const BYTES_OF_LEVEL = 4_194_304
/**
 * After points have been in a block for this time, all of its recent rows are merged, and points that are due
 * leave.
 */
const LONGEST = DAY

/** The first and the last of some levels. */
interface Levels {
  readonly from: number
  readonly to: number
}

/** The outcome for the rows that were taken. */
interface Gathered {
  readonly folded: FoldedPoints
  readonly segments: readonly TakenBlock[]
  /** The rows that stayed as they are. */
  readonly damaged: readonly TakenBlock[]
}

/** Stands for all levels of recent rows. */
const ALL_RECENT = -2
/** This many lasting rows become one. The number is small, because there is a new row each week. */
const ROWS_OF_LASTING = 8
const MOST_NOTED = 500_000
const AT_ONCE = 16

/** Merges rows of blocks, level by level, until their points leave as chunks. */
export class BlockMerger {
  readonly #parts: BlockMergerParts
  readonly #failed = new FailedBlocks()
  #noted = new Map<string, Noted>()

  constructor(parts: BlockMergerParts) {
    this.#parts = parts
  }

  note(blocks: readonly NewBlock[]): void {
    // `sweep` finds the dropped entries again.
    if (this.#noted.size > MOST_NOTED) this.#noted.clear()
    for (const one of blocks) this.#add({ ...one, rows: 1, points: one.count })
  }

  #add({ domainId, block, level, rows, points, bytes, arrivedAt }: NotedLevel): void {
    if (level === FULL) return
    const key = keyOf(domainId, block)
    const noted = this.#noted.get(key) ?? { domainId, block, rows: [], points: [], bytes: [], arrivedAt: Infinity }
    noted.rows[level] = (noted.rows[level] ?? 0) + rows
    noted.points[level] = (noted.points[level] ?? 0) + points
    noted.bytes[level] = (noted.bytes[level] ?? 0) + bytes
    if (!isLasting(level)) noted.arrivedAt = Math.min(noted.arrivedAt, arrivedAt)
    this.#noted.set(key, noted)
  }

  /**
   * Looks up the rows that are due at `now`, including rows of other processes, and rows from before this process
   * started. If `now` is left out, all recent rows count as old.
   */
  async sweep(now = Number.MAX_SAFE_INTEGER): Promise<void> {
    const { database, rowsOfLevel: rows } = this.#parts
    const lastingRows = Math.min(ROWS_OF_LASTING, rows)
    const due = { rows, lastingRows, points: POINTS_OF_LEVEL, bytes: BYTES_OF_LEVEL, before: now - LONGEST }
    const blocks = await listDueRows(database, due)
    this.#noted = new Map()
    for (const one of blocks) this.#add(one)
    this.#failed.keep(this.#noted)
  }

  /**
   * Merges some rows that are due at `now` (microseconds since 1970). The result is false if no row is due. If a block
   * cannot be merged, it merges the others and then fails. The next attempts try the failed block last.
   */
  async merge(now: number, atOnce = AT_ONCE): Promise<boolean> {
    const attempts = new Attempts()
    const due = this.#findDue(now, atOnce)
    for (const { noted, level } of due) await attempts.make(() => this.#mergeBlock(noted, level, now))
    attempts.end()
    return due.length > 0
  }

  #findDue(now: number, atOnce: number): { readonly noted: Noted; readonly level: number }[] {
    const due = []
    this.#failed.beginTurn()
    for (const [key, noted] of this.#noted) {
      if (due.length >= atOnce) break
      const isOld = noted.arrivedAt <= now - LONGEST
      const level = isOld ? ALL_RECENT : dueLevel(noted, this.#parts.rowsOfLevel)
      if (level !== -1 && !this.#failed.has(key)) due.push({ noted, level })
    }
    return due
  }

  async #mergeBlock(noted: Noted, level: number, now: number): Promise<void> {
    const { partitions, merger } = this.#parts
    const { domainId, block } = noted
    const taken = this.#forget(noted, level)
    let reason: string | undefined
    try {
      const { database } = this.#parts
      const { folded, segments, damaged } = await withFreeKeys((raised) =>
        database.transaction((sql) => this.#gather(sql, noted, level, now, raised)),
      )
      merger.note(folded.small)
      this.note(folded.blocks)
      for (const one of restOf(taken, segments)) this.#add(one)
      for (const one of damaged)
        this.#add({ domainId, block, ...one, rows: 1, points: one.count, bytes: one.points.length })
      if (damaged.length === 0) return this.#failed.succeeded(keyOf(domainId, block))
      // All other blocks are merged.
      this.#failed.failed(keyOf(domainId, block))
      reason = folded.damaged?.[0]?.reason
    } catch (error) {
      for (const one of taken) this.#add(one)
      this.#failed.failed(keyOf(domainId, block))
      // A partition may have been dropped as empty in the meantime.
      partitions.forget()
      const cause = error instanceof Error ? error.message : String(error)
      throw new Error(`block ${block} of domain ${domainId} could not be merged: ${cause}`, { cause: error })
    }
    throw new Error(`rows of block ${block} of domain ${domainId} could not be merged: ${reason}`)
  }

  /**
   * Merges the rows of one level into one row of the next. If the oldest points have waited too long, it merges all
   * levels.
   */
  async #gather(
    sql: Transaction,
    { domainId, block }: Noted,
    level: number,
    now: number,
    raised: number,
  ): Promise<Gathered> {
    const isOld = level === ALL_RECENT
    const segments = await takeBlock(sql, domainId, block, dueLevels(level))
    const series = new Set(await fetchSeriesOfBlock(sql, domainId, block))
    const until = isOld ? dayOf(now) : -Infinity
    const oldest = segments.reduce((least, { arrivedAt }) => Math.min(least, arrivedAt), Infinity)
    const highest = segments.reduce((most, one) => (isLasting(one.level) ? most : Math.max(most, one.level)), 0)
    const place = { level: isOld ? highest : levelAfter(level), arrivedAt: Math.max(oldest, until), raised }
    const leaving = isLasting(level) ? null : { until, leastOfChunk: this.#parts.leastOfChunk }
    const folded = await this.#parts.foldThread.block({ domainId, segments, series, leaving }, place)
    const damaged = damagedOf(segments, folded, isOld ? 1 : 2)
    await this.#parts.partitions.ensureWithin(sql, folded.months)
    await insertFolded(sql, folded)
    if (damaged.length > 0)
      await insertBlocks(sql, encodeBlockRows(damaged.map((row) => ({ ...row, domainId, block }))))
    return { folded, segments, damaged }
  }

  /** Forgets the rows of one level or of all levels, and returns the facts about them. */
  #forget(noted: Noted, level: number): NotedLevel[] {
    const { domainId, block, rows, points, bytes, arrivedAt } = noted
    const isMeant = (one: number): boolean => (level === ALL_RECENT ? !isLasting(one) : one === level)
    const forgotten = Array.from(rows.keys())
      .filter(isMeant)
      .map((one) => {
        const known = { rows: rows[one] ?? 0, points: points[one] ?? 0, bytes: bytes[one] ?? 0 }
        return { domainId, block, level: one, arrivedAt, ...known }
      })
    for (const { level: one } of forgotten) [rows[one], points[one], bytes[one]] = [0, 0, 0]
    if (level === ALL_RECENT) noted.arrivedAt = Infinity
    if (rows.every((count) => count === 0)) this.#noted.delete(keyOf(domainId, block))
    return forgotten
  }
}

/** Puts rows that cannot be read back as they were. It fails if fewer than `least` other rows are left. */
function damagedOf(segments: readonly TakenBlock[], { damaged = [] }: FoldedPoints, least: number): TakenBlock[] {
  const [first] = damaged
  if (first !== undefined && segments.length - damaged.length < least) throw new DamagedPoints(first.reason)
  return damaged.flatMap(({ index }) => segments[index] ?? [])
}

function dueLevels(level: number): Levels {
  return level === ALL_RECENT ? { from: 0, to: LASTING - 1 } : { from: level, to: level }
}

/** The rows that stayed in the table, because the other rows reached the size limit of one transaction. */
function restOf(noted: readonly NotedLevel[], taken: readonly TakenBlock[]): NotedLevel[] {
  if (sumOf(taken, ({ points }) => points.length) < BYTES_AT_ONCE) return []
  return noted
    .map((one) => {
      const own = taken.filter(({ level }) => level === one.level)
      return {
        ...one,
        rows: one.rows - own.length,
        points: one.points - sumOf(own, ({ count }) => count),
        bytes: one.bytes - sumOf(own, ({ points }) => points.length),
      }
    })
    .filter(({ rows }) => rows > 0)
}

function sumOf(rows: readonly TakenBlock[], size: (row: TakenBlock) => number): number {
  return rows.reduce((sum, row) => sum + size(row), 0)
}

/** The first level with enough rows, points or bytes to be merged; -1 if there is none. */
function dueLevel({ rows, points, bytes }: Noted, rowsOfLevel: number): number {
  return rows.findIndex((count, level) => {
    const isMuch = (points[level] ?? 0) >= POINTS_OF_LEVEL || (bytes[level] ?? 0) >= BYTES_OF_LEVEL
    return count >= (isLasting(level) ? Math.min(ROWS_OF_LASTING, rowsOfLevel) : rowsOfLevel) || (count > 1 && isMuch)
  })
}

function keyOf(domainId: number, block: number): string {
  return `${domainId} ${block}`
}

/** Inserts the blocks and chunks of folded points. The partitions of the chunks must exist. */
export async function insertFolded(
  sql: Transaction,
  { encoded, months, encodedBlocks, blocks }: FoldedPoints,
): Promise<void> {
  if (blocks.length > 0) await insertBlocks(sql, encodedBlocks)
  if (months.length > 0) await insertChunks(sql, encoded)
}
