import type { ChunkValues } from '../../../datapoints/chunks/chunk-values.ts'
import { decodeChunk, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { lowerBound } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import type { Database } from '../../../db/sql.ts'
import { writeAccess } from '../../../store/domains.ts'
import { fetchPoints, holdHotPoints, type ChunkPart, type HotPoint } from '../../../store/datapoints/points.ts'
import type { SeriesReference } from './point-reader.ts'

export interface TimeRange {
  /** Microseconds since 1970. */
  readonly from: number
  /** The range ends before this time. */
  readonly to: number
}

/** All points of some series in a range, each time once, oldest first, whatever is folded at the same time. */
export async function readPoints(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  range: TimeRange,
): Promise<ReadonlyMap<number, GeneratedColumns>> {
  const ids = series.map(({ seriesId }) => seriesId)
  // `readDomain` is not used, because its snapshot would be older than the lock.
  const { chunks, hot } = await writeAccess(database, domainId, async (sql) => {
    await holdHotPoints(sql)
    return fetchPoints(sql, domainId, ids, range.from, range.to)
  })
  const chunksOf = Map.groupBy(chunks, ({ seriesId }) => seriesId)
  const hotOf = Map.groupBy(hot, ({ seriesId }) => seriesId)
  return new Map(
    series.map(({ seriesId, kind }) => {
      const notPacked = hotColumns(hotOf.get(seriesId) ?? [], kind)
      return [seriesId, unpack(chunksOf.get(seriesId) ?? [], notPacked, kind, range)]
    }),
  )
}

/** Joins the chunks and the hot points of one series in a range, each time once. */
export function unpack(
  chunks: readonly Pick<ChunkPart, 'points'>[],
  hot: GeneratedColumns,
  kind: ValueKind,
  range: TimeRange,
): GeneratedColumns {
  const packed = chunks.map(({ points }) => decodeChunk(points, kind))
  // Hot points follow the chunks, because the last point of a flush counts, and a flush is either in chunks or hot.
  return within(mergePoints(joinGenerated([...packed, hot])), range)
}

export function hotColumns(hot: readonly HotPoint[], kind: ValueKind): GeneratedColumns {
  return {
    at: Float64Array.from(hot, ({ at }) => at),
    generation: Float64Array.from(hot, ({ generation }) => generation),
    values: valuesOf(hot, kind),
  }
}

function valuesOf(hot: readonly HotPoint[], kind: ValueKind): ChunkValues {
  if (kind === 'float') return Float64Array.from(hot, ({ float8 }) => float8 ?? 0)
  if (kind === 'integer') return BigInt64Array.from(hot, ({ whole }) => BigInt(whole ?? 0))
  if (kind === 'boolean') return Uint8Array.from(hot, ({ whole }) => Number(whole))
  return hot.map(({ text }) => text ?? '')
}

/** The points in a range. The times must ascend. */
export function within({ at, generation, values }: GeneratedColumns, { from, to }: TimeRange): GeneratedColumns {
  const [start, end] = [lowerBound(at, from), lowerBound(at, to)]
  return {
    at: at.subarray(start, end),
    generation: typeof generation === 'number' ? generation : generation.subarray(start, end),
    values: Array.isArray(values) ? values.slice(start, end) : values.subarray(start, end),
  }
}
