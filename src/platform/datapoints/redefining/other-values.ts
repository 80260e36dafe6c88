import { decodeDirectory } from '../../../datapoints/segments/directory.ts'
import { SERIES_OF_BLOCK } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { Sql } from '../../../db/sql.ts'
import { fetchHotSegments } from '../../../store/datapoints/points/points.ts'
import {
  beginBlockValues,
  fetchAllHotDirectories,
  fetchBlockValues,
  fetchOrigins,
  fetchOriginsBetween,
  type SeriesOrigin,
  type StoredBlockOf,
  type ValuesOf,
} from '../../../store/datapoints/points/stored-values.ts'
import { segmentPoints, type PointsBySeries } from '../reading/stored/segment-points.ts'

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

/** Reads the points of these values in blocks, as they are when it is called, block by block in ascending order. */
export async function readBlockValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
): Promise<AsyncIterable<BlockValues>> {
  await beginBlockValues(sql, domainId, values)
  return blockValues(sql, domainId, values)
}

async function* blockValues(sql: Sql, domainId: number, values: readonly ValuesOf[]): AsyncGenerator<BlockValues> {
  for await (const [block, rows] of byBlock(fetchBlockValues(sql))) {
    const range = { from: block * SERIES_OF_BLOCK, to: (block + 1) * SERIES_OF_BLOCK }
    const origins = await fetchOriginsBetween(sql, domainId, values, range)
    const wanted = new Set(origins.map(({ seriesId }) => seriesId))
    const segments = rows.map(({ series, points }) => ({ generation: null, series, points }))
    yield { block, origins, points: segmentPoints(segments, wanted) }
  }
}

/** The rows of each block, which come one after the other. */
async function* byBlock(
  rows: AsyncIterable<StoredBlockOf>,
): AsyncGenerator<readonly [block: number, rows: readonly StoredBlockOf[]]> {
  let own: StoredBlockOf[] = []
  for await (const row of rows) {
    const [first] = own
    if (first !== undefined && first.block !== row.block) {
      yield [first.block, own]
      own = []
    }
    own.push(row)
  }
  const [first] = own
  if (first !== undefined) yield [first.block, own]
}
