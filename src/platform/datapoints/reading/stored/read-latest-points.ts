import type { Before } from '../../../../datapoints/chunks/columns.ts'
import type { Sql } from '../../../../db/sql.ts'
import { fetchLatestOfChunks } from '../../../../store/datapoints/points/latest-points.ts'
import { LatestPoints } from './latest-points.ts'
import { lookInBlocks } from './look-in-blocks.ts'
import type { SeriesReference } from './point-reader.ts'
import type { PointsBySeries } from './segment-points.ts'

/**
 * The last point before a time, for each series that has one. Points go from hot segments to blocks and from there to chunks,
 * so they are looked for in this order, and none is missed where what follows is of a later moment. `hot` has all hot points
 * of the series; of blocks and chunks only those are read that may have a later one than is known. The transaction has called
 * `preferOrderOfIndex`.
 */
export async function findLatestPoints(
  sql: Sql,
  domainId: number,
  series: readonly SeriesReference[],
  before: number,
  hot: PointsBySeries,
): Promise<ReadonlyMap<number, Before>> {
  if (series.length === 0) return new Map()
  const latest = new LatestPoints(series, before)
  for (const [seriesId, parts] of hot) for (const points of parts) latest.add(seriesId, points)
  await lookInBlocks(sql, domainId, latest, before)
  latest.addChunks(await fetchLatestOfChunks(sql, domainId, latest.known, before))
  return latest.found()
}
