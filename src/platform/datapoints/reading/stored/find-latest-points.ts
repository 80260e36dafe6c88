import type { Before } from '../../../../datapoints/chunks/point-columns.ts'
import type { Sql } from '../../../../db/sql.ts'
import {
  fetchLastingRows,
  fetchLatestOfChunks,
  fetchPointsOfChunk,
  type LastingRow,
  type LatestCandidate,
  type NewestRow,
} from '../../../../store/datapoints/points/latest-points.ts'
import { fetchNewest, LatestInBlocks } from './latest-in-blocks.ts'
import { LatestPoints } from './latest-points.ts'
import type { SeriesReference } from './point-reader.ts'
import type { PointsBySeries } from './segment-points.ts'

/** The known facts before the search. */
interface Known {
  readonly before: number
  /** Only so many characters of a text are kept; left out if all are. */
  readonly longest?: number | undefined
  /** All hot points of the series; others may be among them. */
  readonly hot: PointsBySeries
  /** The newest rows of the series' blocks, where they were asked for already. */
  readonly newest?: Promise<readonly NewestRow[]> | undefined
}

/**
 * The last point before a time, for each series that has one. Points go from hot segments to blocks and from there to chunks,
 * so they are looked for in this order, and none is missed where what follows is of a later moment. Of blocks and chunks only
 * those are read that may have a later point than is known. The transaction has called `preferOrderOfIndex`.
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
      fetchLastingRows(sql, domainId, inBlocks.blocks, before),
      fetchLatestOfChunks(sql, domainId, latest.known, before),
    ])
  let rows = await (newest ?? fetchNewest(sql, domainId, latest.ids, before))
  for (;;) {
    const [lasting, chunks] = await addNewest(inBlocks, rows, fetchRest)
    if (await inBlocks.addLasting(lasting)) {
      await latest.addChunks(chunks, (chunk) => fetchPointsOfChunk(sql, domainId, chunk))
      return latest.found()
    }
    // A row that is gone became another one meanwhile, unless all is read from one snapshot.
    rows = await fetchNewest(sql, domainId, latest.ids, before)
  }
}

type Rest = Promise<readonly [readonly LastingRow[], readonly LatestCandidate[]]>

/**
 * Adds the points of the newest rows, and gives what may have later ones. The database looks for that while the rows are
 * decoded here, where they say of all series since when.
 */
async function addNewest(inBlocks: LatestInBlocks, rows: readonly NewestRow[], fetchRest: () => Rest): Rest {
  const rest = inBlocks.expect(rows) ? fetchRest() : null
  // Where it fails, so does what is asked next.
  rest?.catch(() => undefined)
  const unsettled = inBlocks.addNewest(rows)
  if (unsettled.length === 0) return rest ?? fetchRest()
  await inBlocks.addOthers(unsettled)
  // A point outside of the newest rows may have moved to a row that lasts, or to a chunk, since these were read.
  return fetchRest()
}
