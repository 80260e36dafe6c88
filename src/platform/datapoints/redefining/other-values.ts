import type { Sql } from '../../../db/sql.ts'
import { fetchHotSegmentsAfter } from '../../../store/datapoints/points/points.ts'
import {
  beginBlockValues,
  fetchAllHotDirectories,
  fetchBlockValues,
  fetchOrigins,
  fetchOriginsBetween,
  type HotDirectory,
  type SeriesOrigin,
  type ValuesOf,
} from '../../../store/datapoints/points/stored-values.ts'
import type { BlockValues, OtherValues } from '../parts/other-series.ts'
import { readBlocks } from '../parts/stored-parts.ts'
import { decodeStoredDirectory } from '../damaged-points.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'

export const NO_VALUES: OtherValues<never> = { origins: [], points: new Map() }

/** Reads the hot points of the series with these values, in flushes after a number. The caller holds the hot points. */
export async function readHotValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
  after = 0,
): Promise<OtherValues<SeriesOrigin>> {
  const hot = new Set<number>()
  for (const one of await fetchAllHotDirectories(sql, domainId, after))
    for (const seriesId of await seriesOf(sql, domainId, values, one)) hot.add(seriesId)
  const origins = await fetchOrigins(sql, domainId, values, [...hot])
  if (origins.length === 0) return NO_VALUES
  const ids = origins.map(({ seriesId }) => seriesId)
  return { origins, points: await segmentPoints(await fetchHotSegmentsAfter(sql, domainId, ids, after), new Set(ids)) }
}

/** The series of a segment. If it cannot be read, this fails only if it may have some of these values. */
async function seriesOf(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
  { first, last, series }: HotDirectory,
): Promise<Iterable<number>> {
  try {
    return decodeStoredDirectory({ series }, `of the series ${first} to ${last}`).series
  } catch (error) {
    const mayHave = await fetchOriginsBetween(sql, domainId, values, { from: first, to: last + 1 })
    if (mayHave.length > 0) throw error
    return []
  }
}

/** Reads the points of these values in blocks, in the state at the time of the call, in ascending order of blocks. */
export async function readBlockValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
): Promise<AsyncIterable<BlockValues<SeriesOrigin>>> {
  await beginBlockValues(sql, domainId, values)
  return readBlocks(fetchBlockValues(sql), (range) => fetchOriginsBetween(sql, domainId, values, range))
}
