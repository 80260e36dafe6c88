import { decodeDirectory } from '../../../datapoints/segments/directory.ts'
import { blockOf, SERIES_OF_BLOCK } from '../../../datapoints/segments/gather-points.ts'
import type { Sql } from '../../../db/sql.ts'
import { fetchBlockSegments, fetchHotSegments } from '../../../store/datapoints/points.ts'
import {
  fetchAllHotDirectories,
  fetchOrigins,
  fetchOriginsBetween,
  listBlocksOf,
  type SeriesOrigin,
  type ValuesOf,
} from '../../../store/datapoints/stored-values.ts'
import { segmentPoints, type PointsBySeries } from '../reading/segment-points.ts'

/** Points that are not in chunks, with the series that they belong to. */
export interface OtherValues {
  readonly origins: readonly SeriesOrigin[]
  readonly points: PointsBySeries
}

export const NO_VALUES: OtherValues = { origins: [], points: new Map() }

const FOREVER = 2 ** 52

/** Reads the hot points of these values; the transaction must hold the hot points. */
export async function readHotValues(sql: Sql, domainId: number, values: readonly ValuesOf[]): Promise<OtherValues> {
  const directories = await fetchAllHotDirectories(sql, domainId)
  if (directories.length === 0) return NO_VALUES
  const hot = new Set(directories.flatMap((bytes) => [...decodeDirectory(bytes).series]))
  const origins = await fetchOrigins(sql, domainId, values, [...hot])
  if (origins.length === 0) return NO_VALUES
  const ids = origins.map(({ seriesId }) => seriesId)
  return { origins, points: segmentPoints(await fetchHotSegments(sql, domainId, ids, FOREVER), new Set(ids)) }
}

export interface BlockValues extends OtherValues {
  readonly block: number
}

/** Reads the points in blocks of these values, block by block in ascending order. */
export async function* readBlockValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
): AsyncGenerator<BlockValues> {
  for (const block of await listBlocksOf(sql, domainId)) {
    const range = { from: block * SERIES_OF_BLOCK, to: (block + 1) * SERIES_OF_BLOCK }
    const origins = await fetchOriginsBetween(sql, domainId, values, range)
    const ids = origins.map(({ seriesId }) => seriesId)
    if (ids.length === 0) continue
    const segments = await fetchBlockSegments(sql, domainId, ids.slice(0, 1), FOREVER)
    yield { block: blockOf(ids[0] ?? 0), origins, points: segmentPoints(segments, new Set(ids)) }
  }
}
