import { lowerBound } from '../../datapoints/chunks/columns.ts'
import { slicePoints } from '../../datapoints/segments/divide-points.ts'
import { MONTH } from '../../datapoints/chunks/pack-series.ts'
import { isLasting } from '../../datapoints/segments/block-levels.ts'
import { blockOf, SERIES_OF_BLOCK } from '../../datapoints/segments/fold-into-blocks.ts'
import type { SegmentPart } from '../../datapoints/segments/point-runs.ts'
import { encodeSegment } from '../../datapoints/segments/segment.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { Attempts } from '../../lib/attempts.ts'
import { decodeStoredDirectory, decodeStoredSegment } from '../datapoints/damaged-points.ts'
import {
  deleteBlockRow,
  findBlocksBefore,
  holdBlockRows,
  holdLastingRows,
  replaceBlockRow,
  type HeldBlock,
} from '../../store/datapoints/packed/blocks.ts'
import { fetchKept, fetchSeriesBetween } from '../../store/datapoints/retention.ts'
import { readDomain, writeData } from '../../store/domains.ts'
import { Retentions } from './retentions.ts'

/**
 * Deletes expired points that are still in blocks, and those of series that were deleted, one block at a time. Each step
 * reads the retention again under the domain's lock, so that nothing is deleted after it was just extended.
 */
export async function expireBlocks(
  database: Database,
  domainId: number,
  now: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const blocks = await readDomain(database, domainId, async (sql) => {
    const limit = new Retentions(await fetchKept(sql, domainId)).lastLimit(now)
    return findBlocksBefore(sql, domainId, limit)
  })
  const attempts = new Attempts()
  for (const block of blocks) {
    if (signal?.aborted === true) break
    await attempts.make(() => writeData(database, domainId, (sql) => expireBlock(sql, domainId, block, now)))
  }
  attempts.end()
}

async function expireBlock(sql: Sql, domainId: number, block: number, now: number): Promise<void> {
  const retentions = new Retentions(await fetchKept(sql, domainId))
  // Rows are held before the series are read: a series that is made in between has no points in what is held, and would
  // be taken for one that was deleted the other way round.
  const rows = await holdBlockRows(sql, domainId, block, retentions.lastLimit(now))
  const range = { from: block * SERIES_OF_BLOCK, to: (block + 1) * SERIES_OF_BLOCK }
  const series = await fetchSeriesBetween(sql, domainId, range)
  const limits = new Map(
    series.map(({ seriesId, characteristicUuid }) => [seriesId, retentions.earliestOf(characteristicUuid, now)]),
  )
  for (const row of rows) await expireRow(sql, domainId, block, row, (seriesId) => limits.get(seriesId) ?? Infinity)
}

/**
 * Deletes the points of series that were lost from the rows of their blocks that last. All other rows are merged within a day,
 * which leaves them out.
 */
export async function dropLostFromBlocks(
  database: Database,
  domainId: number,
  lost: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const gone = new Set(lost)
  for (const block of new Set(lost.map(blockOf))) {
    if (signal?.aborted === true) return
    await writeData(database, domainId, async (sql) => {
      for (const row of await holdLastingRows(sql, domainId, block))
        if (decodeStoredDirectory(row, `of the block ${block}`).series.some((seriesId) => gone.has(seriesId)))
          await expireRow(sql, domainId, block, row, (seriesId) => (gone.has(seriesId) ? Infinity : -Infinity))
    })
  }
}

/** Points of a row that lasts are deleted when the first of them has expired for a month, so that no row is made anew each day. */
async function expireRow(
  sql: Sql,
  domainId: number,
  block: number,
  row: HeldBlock,
  earliestOf: (seriesId: number) => number,
): Promise<void> {
  const parts = decodeStoredSegment(row, undefined, `of the block ${block}`)
  const patience = isLasting(row.level) ? MONTH : 0
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
