import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import { DAY, MOST_CHARACTERS } from '../../../../datapoints/chunks/pack-series.ts'
import type { ValueKind } from '../../../../records/values/value.ts'
import type { ChunkStart } from '../../../../store/datapoints/packed/chunks.ts'
import type { PointRange, SeriesPart, SeriesReference } from './point-reader.ts'
import { rangeSlices, type Slice, type SliceStart } from './range-slices.ts'

/** The number of points that are decoded at once. */
export const POINTS_OF_SLICE = 100_000
/** The number of characters of texts that are decoded at once, unless a single text has more. */
export const CHARACTERS_OF_SLICE = 4_194_304
/** The highest compression of Deflate (RFC 1951: 258 bytes in two bits). */
const MOST_OF_BYTE = 1_032

/** The number of beginnings of chunks that are looked up at once. A slice has fewer. */
export const STARTS = 500

interface StartsQuery extends Slice {
  readonly isNewestFirst: boolean
}

/** Looks up the parts of one series. */
export interface SliceSource {
  starts(series: SeriesReference, query: StartsQuery, limit: number): Promise<ChunkStart[]>
  points(series: SeriesReference, slice: Slice): Promise<GeneratedColumns>
}

/** Reads a range of any length in slices that fit into memory. */
export async function* readSlices(
  source: SliceSource,
  series: SeriesReference,
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  const points = Math.min(POINTS_OF_SLICE, range.limit ?? POINTS_OF_SLICE)
  const starts = weighed(chunkStarts(source, series, range), points, series.kind)
  for await (const slice of rangeSlices(range, range.order === 'newest first', points, starts)) {
    const columns = await source.points(series, slice)
    if (columns.at.length > 0) yield { seriesId: series.seriesId, columns }
  }
}

/** Counts a chunk of long texts as more points, by the share of a slice that its characters may fill. */
async function* weighed(
  starts: AsyncIterable<ChunkStart>,
  points: number,
  kind: ValueKind,
): AsyncGenerator<SliceStart> {
  for await (const { t0, count, bytes } of starts) {
    const characters = Math.min(bytes * MOST_OF_BYTE, count === 1 ? Infinity : MOST_CHARACTERS)
    const part = kind === 'text' ? characters / CHARACTERS_OF_SLICE : 0
    yield { t0, count: Math.max(count, part * points) }
  }
}

/**
 * The beginnings of the chunks at which the range is cut. A chunk that begins before the range may have points in it.
 * Chunks of the first day count; earlier ones are too few to matter.
 */
async function* chunkStarts(
  source: SliceSource,
  series: SeriesReference,
  { from, to, order }: PointRange,
): AsyncGenerator<ChunkStart> {
  const isNewestFirst = order === 'newest first'
  for (let rest = { from: from - (from % DAY), to }; ;) {
    const starts = await source.starts(series, { ...rest, isNewestFirst }, STARTS)
    yield* starts
    const last = starts.at(-1)
    if (last === undefined || starts.length < STARTS) return
    rest = isNewestFirst ? { ...rest, to: last.t0 } : { ...rest, from: last.t0 + 1 }
  }
}
