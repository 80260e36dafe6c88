import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import { type Erased, withoutErased } from '../../../../datapoints/chunks/erased.ts'
import { lowerBound } from '../../../../datapoints/chunks/point-columns.ts'
import type { ValueKind } from '../../../../records/values/value.ts'
import type { Database } from '../../../../db/sql.ts'
import { writeAccess } from '../../../../store/domains.ts'
import { fetchPoints, holdHotPoints, type ChunkPart } from '../../../../store/datapoints/points/points.ts'
import { decodeStored } from '../../damaged-points.ts'
import type { SeriesReference } from './point-reader.ts'
import { mergedPoints, segmentPoints } from './segment-points.ts'

interface TimeRange {
  /** Microseconds since 1970. */
  readonly from: number
  /** The range ends before this time. */
  readonly to: number
}

/** All points of some series in a range, each time once, oldest first, even if they are folded at the same time. */
export async function readPoints(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  range: TimeRange,
): Promise<ReadonlyMap<number, GeneratedColumns>> {
  const ids = series.map(({ seriesId }) => seriesId)
  // `readDomain` is not used, because its snapshot would be older than the lock.
  const { chunks, segments, visible } = await writeAccess(database, domainId, async (sql) => {
    await holdHotPoints(sql)
    return fetchPoints(sql, domainId, ids, range.from, range.to)
  })
  const chunksOf = Map.groupBy(chunks, ({ seriesId }) => seriesId)
  const others = await segmentPoints(segments, visible)
  return new Map(
    series.map((one) => {
      return [one.seriesId, unpack(chunksOf.get(one.seriesId) ?? [], others.get(one.seriesId) ?? [], one, range)]
    }),
  )
}

interface UnpackedSeries {
  readonly kind: ValueKind
  readonly erased?: Erased
}

export function hasTexts(series: readonly SeriesReference[]): boolean {
  return series.some(({ kind }) => kind === 'text')
}

/** Joins the chunks and all other points of one series in a range, each time once, without erased points. */
export function unpack(
  chunks: readonly ChunkPart[],
  others: readonly GeneratedColumns[],
  { kind, erased }: UnpackedSeries,
  range: TimeRange,
): GeneratedColumns {
  const parts = [...chunks.map((chunk) => decodeStored(chunk, chunk.points, kind)), ...others]
  return withoutErased(within(mergedPoints(parts.length === 0 ? undefined : parts, kind), range), erased)
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
