import { lowerBound } from '../../../datapoints/chunks/point-columns.ts'
import { slicePoints } from '../../../datapoints/segments/divide-points.ts'
import { MONTH } from '../../../datapoints/chunks/pack-series.ts'
import { isLasting } from '../../../datapoints/segments/block-levels.ts'
import { blockOf, SERIES_OF_BLOCK } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { SegmentPart } from '../../../datapoints/segments/point-runs.ts'
import { encodeSegment } from '../../../datapoints/segments/segment.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { isUniqueViolation } from '../../../db/sql-error.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { decodeStoredDirectory, decodeStoredSegment } from '../damaged-points.ts'
import {
  deleteBlockRow,
  fetchHeldRow,
  findDueBlocks,
  holdLastingRows,
  holdRowsBefore,
  replaceBlockRow,
  type DueBlock,
  type HeldBlock,
  type HeldPlace,
} from '../../../store/datapoints/packed/blocks.ts'
import { fetchKept, fetchSeriesBetween } from '../../../store/datapoints/retention.ts'
import { readDomain, writeData } from '../../../store/domains.ts'
import { Retentions } from './retentions.ts'

/**
 * Deletes expired points that are still in blocks, and points of deleted series, one block at a time. Each step reads
 * the retention again under the domain's lock, so that no points are deleted after it was extended.
 */
export async function expireBlocks(
  database: Database,
  domainId: number,
  now: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const due = await readDomain(database, domainId, async (sql) => {
    const retentions = new Retentions(await fetchKept(sql, domainId))
    return findDueBlocks(sql, domainId, retentions.limits(now))
  })
  const attempts = new Attempts()
  for (const block of due) {
    if (signal?.aborted === true) break
    await attempts.make(async () => {
      const rows = await writeRows(database, domainId, (sql) => expireBlock(sql, domainId, block, now))
      rows.end()
    })
  }
  attempts.end()
}

/** Expires all undamaged rows of a block. Returns the errors of damaged rows, to report after the transaction. */
async function expireBlock(sql: Sql, domainId: number, due: DueBlock, now: number): Promise<Attempts> {
  const { block } = due
  const retentions = new Retentions(await fetchKept(sql, domainId))
  // Rows are held before the series are read. In the other order, a series created in between could have points in the
  // rows, and would look like a deleted one.
  const rows = await holdRowsBefore(sql, domainId, due)
  const range = { from: block * SERIES_OF_BLOCK, to: (block + 1) * SERIES_OF_BLOCK }
  const series = await fetchSeriesBetween(sql, domainId, range)
  const limits = new Map(
    series.map(({ seriesId, characteristicUuid }) => [seriesId, retentions.earliestOf(characteristicUuid, now)]),
  )
  return expireRows(sql, domainId, block, rows, (seriesId) => limits.get(seriesId) ?? Infinity)
}

/**
 * Deletes the points of lost series from lasting rows. All other rows are merged within a day, which leaves these
 * points out.
 */
export async function dropLostFromBlocks(
  database: Database,
  domainId: number,
  lost: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const gone = new Set(lost)
  const attempts = new Attempts()
  for (const block of new Set(lost.map(blockOf))) {
    if (signal?.aborted === true) break
    await attempts.make(async () => {
      const rows = await writeRows(database, domainId, (sql) => dropLost(sql, domainId, block, gone))
      rows.end()
    })
  }
  attempts.end()
}

/** Rewrites rows. It retries once if another process took the key of a row meanwhile. */
async function writeRows<T>(database: Database, domainId: number, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    return await writeData(database, domainId, work)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return writeData(database, domainId, work)
  }
}

async function dropLost(sql: Sql, domainId: number, block: number, gone: ReadonlySet<number>): Promise<Attempts> {
  const rows = await holdLastingRows(sql, domainId, block)
  return expireRows(sql, domainId, block, rows, (seriesId) => (gone.has(seriesId) ? Infinity : -Infinity))
}

/** Reads the directories, and then the points of one row after the other, because all rows may have many points. */
async function expireRows(
  sql: Sql,
  domainId: number,
  block: number,
  rows: readonly HeldPlace[],
  earliestOf: (seriesId: number) => number,
): Promise<Attempts> {
  const attempts = new Attempts()
  for (const place of rows) {
    const directory = await attempts.make(async () => decodeStoredDirectory(place, `of the block ${block}`))
    const limit = place.t0 + patienceWith(place)
    if (directory?.series.some((seriesId) => limit < earliestOf(seriesId)) !== true) continue
    for (const row of await fetchHeldRow(sql, domainId, block, place))
      await expireRow(sql, domainId, block, row, earliestOf, attempts)
  }
  return attempts
}

/** A lasting row waits until its first point has been expired for a month, so that it is not rewritten each day. */
function patienceWith({ level }: HeldPlace): number {
  return isLasting(level) ? MONTH : 0
}

async function expireRow(
  sql: Sql,
  domainId: number,
  block: number,
  row: HeldBlock,
  earliestOf: (seriesId: number) => number,
  attempts: Attempts,
): Promise<void> {
  // Only decoding may fail here: a failed statement would end the transaction.
  const parts = await attempts.make(async () => decodeStoredSegment(row, undefined, `of the block ${block}`))
  if (parts === null) return
  const patience = patienceWith(row)
  if (parts.every(({ seriesId, points }) => (points.at[0] ?? 0) >= earliestOf(seriesId) - patience)) return
  const kept = parts.flatMap((part) => keptPart(part, earliestOf(part.seriesId)))
  const count = kept.reduce((sum, { points }) => sum + points.at.length, 0)
  if (count === 0) await deleteBlockRow(sql, domainId, block, row)
  else await replaceBlockRow(sql, domainId, block, row, encodeSegment(kept))
}

function keptPart(part: SegmentPart, earliest: number): SegmentPart[] {
  const { at } = part.points
  const start = lowerBound(at, earliest)
  if (start === 0) return [part]
  if (start === at.length) return []
  return [{ ...part, points: slicePoints(part.points, start, at.length) }]
}
