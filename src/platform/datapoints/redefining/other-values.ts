import type { Sql } from '../../../db/sql.ts'
import { fetchHotSegments } from '../../../store/datapoints/points/points.ts'
import {
  beginBlockValues,
  fetchAllHotDirectories,
  fetchBlockValues,
  fetchOrigins,
  fetchOriginsBetween,
  type SeriesOrigin,
  type ValuesOf,
} from '../../../store/datapoints/points/stored-values.ts'
import type { BlockValues, OtherValues } from '../parts/other-series.ts'
import { readBlocks } from '../parts/read-blocks.ts'
import { decodeStoredDirectory } from '../damaged-points.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'

export const NO_VALUES: OtherValues<never> = { origins: [], points: new Map() }

const FOREVER = 2 ** 52

/** Reads the hot points of series that have some of these values in flushes after a number; the transaction must hold the hot points. */
export async function readHotValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
  after = 0,
): Promise<OtherValues<SeriesOrigin>> {
  const directories = await fetchAllHotDirectories(sql, domainId, after)
  if (directories.length === 0) return NO_VALUES
  const hot = new Set(directories.flatMap((series) => [...decodeStoredDirectory({ series }, 'that arrived').series]))
  const origins = await fetchOrigins(sql, domainId, values, [...hot])
  if (origins.length === 0) return NO_VALUES
  const ids = origins.map(({ seriesId }) => seriesId)
  return { origins, points: await segmentPoints(await fetchHotSegments(sql, domainId, ids, FOREVER), new Set(ids)) }
}

/** Reads the points of these values in blocks, as they are when it is called, block by block in ascending order. */
export async function readBlockValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
): Promise<AsyncIterable<BlockValues<SeriesOrigin>>> {
  await beginBlockValues(sql, domainId, values)
  return readBlocks(fetchBlockValues(sql), (range) => fetchOriginsBetween(sql, domainId, values, range))
}
