import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import type { ChunkStart } from '../../../store/datapoints/chunk-starts.ts'
import type { PointRange, SeriesPart, SeriesReference } from './point-reader.ts'
import { rangeSlices, type Slice } from './range-slices.ts'

/** Points that are unpacked at once. */
const POINTS_OF_SLICE = 100_000

/** Looked up at once: so many begin in a slice and more. */
const STARTS = 500

export interface StartsQuery extends Slice {
  readonly isNewestFirst: boolean
}

/** How the parts of one series are looked up. */
export interface SliceSource {
  starts(series: SeriesReference, query: StartsQuery, limit: number): Promise<ChunkStart[]>
  points(series: SeriesReference, slice: Slice): Promise<GeneratedColumns>
}

/** A range in slices that fit into memory, whatever its length. */
export async function* readSlices(
  source: SliceSource,
  series: SeriesReference,
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  const points = Math.min(POINTS_OF_SLICE, range.limit ?? POINTS_OF_SLICE)
  const starts = chunkStarts(source, series, range)
  for await (const slice of rangeSlices(range, range.order === 'newest first', points, starts)) {
    const columns = await source.points(series, slice)
    if (columns.at.length > 0) yield { seriesId: series.seriesId, columns }
  }
}

/** Of all chunks that may have points of the range: one that begins before it ends with its day. */
async function* chunkStarts(
  source: SliceSource,
  series: SeriesReference,
  { from, to, order }: PointRange,
): AsyncGenerator<ChunkStart> {
  const isNewestFirst = order === 'newest first'
  for (let rest = { from: from - DAY, to }; ;) {
    const starts = await source.starts(series, { ...rest, isNewestFirst }, STARTS)
    yield* starts
    const last = starts.at(-1)
    if (last === undefined || starts.length < STARTS) return
    rest = isNewestFirst ? { ...rest, to: last.t0 } : { ...rest, from: last.t0 + 1 }
  }
}
