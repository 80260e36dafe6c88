import { blockOf } from '../../../../datapoints/segments/fold-into-blocks.ts'
import type { Segment } from '../../../../datapoints/segments/segment.ts'
import type { Sql } from '../../../../db/sql.ts'
import {
  fetchNewestRows,
  fetchRowsOfBlocks,
  type RowOfBlock,
} from '../../../../store/datapoints/points/latest-points.ts'
import { decodeStoredDirectory } from '../../damaged-points.ts'
import type { LatestPoints } from './latest-points.ts'
import { segmentPoints } from './segment-points.ts'

/** This many rows of each block, of those that do not last, are fetched first. */
export const NEWEST_ROWS = 4

/**
 * Looks for the last points in blocks. A row that is gone became another one meanwhile, unless all is read from one snapshot;
 * then it begins again.
 */
export async function lookInBlocks(sql: Sql, domainId: number, latest: LatestPoints, before: number): Promise<void> {
  for (;;) {
    const lasting = await lookInNewestRows(sql, domainId, latest, before)
    if (await lookInLastingRows(sql, domainId, latest, lasting)) return
  }
}

/** Looks at the newest rows of each block, and at all others only where these do not say enough. The result: those that last. */
async function lookInNewestRows(
  sql: Sql,
  domainId: number,
  latest: LatestPoints,
  before: number,
): Promise<readonly RowOfBlock[]> {
  const waiting: Map<number, readonly number[]> = Map.groupBy(latest.ids, blockOf)
  let lasting: readonly RowOfBlock[] = []
  for (const limit of [NEWEST_ROWS, null]) {
    const blocks = [...waiting].map(([block, own]) => ({ block, since: latest.earliest(own) }))
    if (blocks.length === 0) break
    const found = await fetchNewestRows(sql, domainId, blocks, before, limit)
    // A row that was not fetched before may last by now, so of each block those count that were found last.
    lasting = [...lasting.filter(({ block }) => !waiting.has(block)), ...found.filter(({ points }) => points === null)]
    const rows = Map.groupBy(found.filter(hasPoints), ({ block }) => block)
    for (const [block, own] of waiting) {
      const newest = rows.get(block)?.sort((a, b) => b.t1 - a.t1) ?? []
      const unsettled = addRows(latest, own, newest)
      if (unsettled.length > 0 && newest.length === limit) waiting.set(block, unsettled)
      else waiting.delete(block)
    }
  }
  return lasting
}

type NewestRow = RowOfBlock & { readonly points: Uint8Array }

function hasPoints(row: RowOfBlock): row is NewestRow {
  return row.points !== null
}

/** Adds rows with ever earlier points, as long as one of them may have a later point of a series. The result: of which ones. */
function addRows(latest: LatestPoints, series: readonly number[], rows: readonly NewestRow[]): readonly number[] {
  let unsettled = series
  for (const row of rows) {
    unsettled = unsettled.filter((seriesId) => latest.timeOf(seriesId) <= row.t1)
    if (unsettled.length === 0) break
    addRow(latest, row, new Set(unsettled))
  }
  return unsettled
}

function addRow(latest: LatestPoints, segment: Segment, wanted: ReadonlySet<number>): void {
  for (const [seriesId, parts] of segmentPoints([{ ...segment, generation: null }], wanted))
    for (const points of parts) latest.add(seriesId, points)
}

/** A row that lasts, and which series of those that are looked for it has. */
interface LastingRow {
  readonly row: RowOfBlock
  readonly series: readonly number[]
}

/**
 * Looks at rows that last, of which the points are fetched only where a row may have a later point of a series than is known.
 * The result is false where one of them is gone.
 */
async function lookInLastingRows(
  sql: Sql,
  domainId: number,
  latest: LatestPoints,
  rows: readonly RowOfBlock[],
): Promise<boolean> {
  const wanted = new Set(latest.ids)
  let unread = rows
    .toSorted((a, b) => b.t1 - a.t1)
    .map((row) => ({ row, series: seriesOf(row).filter((seriesId) => wanted.has(seriesId)) }))
  for (;;) {
    const next = nextRows(unread, latest)
    if (next.size === 0) return true
    const found = await fetchRowsOfBlocks(sql, domainId, [...next])
    if (found.length < next.size) return false
    for (const segment of found) addRow(latest, segment, wanted)
    unread = unread.filter(({ row }) => !next.has(row))
  }
}

/** The first row for each series that may have a later point of it than is known. */
function nextRows(rows: readonly LastingRow[], latest: LatestPoints): ReadonlySet<RowOfBlock> {
  const next = new Set<RowOfBlock>()
  const found = new Set<number>()
  for (const { row, series } of rows)
    for (const seriesId of series) {
      if (found.has(seriesId) || latest.timeOf(seriesId) > row.t1) continue
      found.add(seriesId)
      next.add(row)
    }
  return next
}

function seriesOf({ block, series }: RowOfBlock): readonly number[] {
  return [...decodeStoredDirectory({ series }, `of the block ${block}`).series]
}
