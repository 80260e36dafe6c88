import type { ChunkStart } from '../../../../store/datapoints/packed/chunks.ts'

/** The beginning of a chunk, and the number of points that it counts as. */
export type SliceStart = Pick<ChunkStart, 't0' | 'count'>

export interface Slice {
  readonly from: number
  /** The slice ends before this time. */
  readonly to: number
}

/**
 * Cuts a range at beginnings of chunks, so that each slice has about the given number of points. The slices cover the
 * range without gap or overlap, so points that arrive in the meantime are in one of them. `starts` come in the order of
 * the requested slices.
 */
export async function* rangeSlices(
  { from, to }: Slice,
  isNewestFirst: boolean,
  points: number,
  starts: AsyncIterable<SliceStart>,
): AsyncGenerator<Slice> {
  let [begin, end] = [from, to]
  let count = 0
  for await (const { t0, count: more } of starts) {
    const isInside = t0 > begin && t0 < end
    if (isNewestFirst) {
      count += more
      if (!isInside || count < points) continue
      yield { from: t0, to: end }
      end = t0
      count = 0
    } else {
      if (isInside && count >= points) {
        yield { from: begin, to: t0 }
        begin = t0
        count = 0
      }
      count += more
    }
  }
  yield { from: begin, to: end }
}
