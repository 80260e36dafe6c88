import type { Before } from '../../../../datapoints/chunks/point-columns.ts'
import type { Sql } from '../../../../db/sql.ts'
import {
  fetchLatestOfChunks,
  fetchPointsOfChunk,
  listRows,
  type LatestCandidate,
  type ListedRow,
  type NewestRow,
} from '../../../../store/datapoints/points/latest-points.ts'
import { fetchNewest, LatestInBlocks } from './latest-in-blocks.ts'
import { LatestPoints } from './latest-points.ts'
import type { SeriesReference } from './point-reader.ts'
import type { PointsBySeries } from './segment-points.ts'

/** The facts that are known before the search. */
interface Known {
  readonly before: number
  /** The maximum number of characters of a text that are kept; left out if all are. */
  readonly longest?: number | undefined
  /** All hot points of the series, possibly with those of other series. */
  readonly hot: PointsBySeries
  /** The newest rows of the series' blocks, if they were already requested. */
  readonly newest?: Promise<readonly NewestRow[]> | undefined
}

/**
 * Finds the last point before a time, for each series that has one. Points move from hot segments to blocks and from
 * there to chunks. They are searched in this order, so no point is missed if a later step sees a later state. Blocks
 * and chunks are only read if they may have a later point than the known one. The transaction has called
 * `preferOrderOfIndex`.
 */
export async function findLatestPoints(
  sql: Sql,
  domainId: number,
  series: readonly SeriesReference[],
  { before, longest, hot, newest }: Known,
): Promise<ReadonlyMap<number, Before>> {
  if (series.length === 0) return new Map()
  const latest = new LatestPoints(series, before, longest)
  for (const { seriesId } of series) for (const points of hot.get(seriesId) ?? []) latest.add(seriesId, points)
  const inBlocks = new LatestInBlocks(sql, domainId, latest, before)
  const fetchRest = () =>
    Promise.all([
      listRows(sql, domainId, 'lasting', inBlocks.blocks, before),
      fetchLatestOfChunks(sql, domainId, latest.known, before),
    ])
  let rows = await (newest ?? fetchNewest(sql, domainId, latest.ids, before))
  for (;;) {
    const rest = await addNewest(inBlocks, rows, fetchRest)
    if (rest !== null && (await inBlocks.addListed(rest[0]))) {
      const [, chunks] = rest
      await latest.addChunks(chunks, (chunk) => fetchPointsOfChunk(sql, domainId, chunk))
      return latest.found()
    }
    // A row is missing, because another one replaced it meanwhile. With one snapshot, this cannot happen.
    rows = await fetchNewest(sql, domainId, latest.ids, before)
  }
}

type Rest = readonly [readonly ListedRow[], readonly LatestCandidate[]]

/**
 * Adds the points of the newest rows, and returns the rows and chunks that may have later ones; null if a row no longer
 * exists. If the newest rows give a bound for all series, the database searches for these while the rows are decoded here.
 */
async function addNewest(
  inBlocks: LatestInBlocks,
  rows: readonly NewestRow[],
  fetchRest: () => Promise<Rest>,
): Promise<Rest | null> {
  const rest = rows.every(({ points }) => points !== null) && inBlocks.expect(rows) ? fetchRest() : null
  // If this fails, so does the next query, which reports the error.
  rest?.catch(() => undefined)
  const unsettled = await inBlocks.addNewest(rows)
  if (unsettled.length === 0) return rest ?? fetchRest()
  // A point outside of the newest rows may have moved to a lasting row, or to a chunk, after these rows were read.
  return (await inBlocks.addOthers(unsettled)) ? fetchRest() : null
}
