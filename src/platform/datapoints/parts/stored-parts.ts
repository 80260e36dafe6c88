import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import type { ValueKind } from '../../../records/values/value.ts'
import { blockOf, SERIES_OF_BLOCK } from '../../../datapoints/segments/fold-into-blocks.ts'
import { OtherSeries, type OtherPart, type Others, type SeriesOf, type BlockValues } from './other-series.ts'
import type { StoredBlockOf } from '../../../store/datapoints/points/stored-values.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'

/** A chunk that was found, usually without its points. */
export interface FoundChunk extends SeriesOf {
  readonly kind: ValueKind
  /** Microseconds since 1970. */
  readonly t0: number
  readonly t1: number
  readonly generation: number
  readonly count: number
  /** The length of the chunk's points in bytes. */
  readonly bytes: number
  /** Left out or null if they are fetched on demand. */
  readonly points?: Uint8Array | null
}

/**
 * The stored points of one series in a time range that no other part of the series overlaps: a single chunk, points
 * outside of chunks, or several of these that overlap each other.
 */
export interface StoredPart<Origin extends SeriesOf, Chunk extends FoundChunk> {
  readonly origin: Origin
  /** In the order of their first times. */
  readonly chunks: readonly Chunk[]
  /** Each time once. */
  readonly others: GeneratedColumns | null
}

/**
 * Groups chunks and points that overlap in time. Chunks come series by series, oldest first, and parts in the same
 * order, some at a time. A single chunk is described by its summary, so few chunks must be decoded.
 */
export async function* storedParts<Origin extends SeriesOf, Chunk extends Origin & FoundChunk>(
  chunks: AsyncIterable<readonly Chunk[]>,
  others: Others<Origin>,
): AsyncGenerator<readonly StoredPart<Origin, Chunk>[]> {
  const waiting = new OtherSeries(others)
  let open: Chunk[] = []
  let end = -Infinity
  const alone = ({ origin, points }: OtherPart<Origin>): StoredPart<Origin, Chunk> => ({
    origin,
    chunks: [],
    others: points,
  })
  const close = (isLast: boolean): StoredPart<Origin, Chunk>[] => {
    const [origin] = open
    if (origin === undefined) return []
    const before = waiting.take(origin.seriesId, origin.t0)
    const part = { origin, chunks: open, others: waiting.take(origin.seriesId, end + 1) }
    const after = isLast ? waiting.take(origin.seriesId, Infinity) : null
    open = []
    end = -Infinity
    return [
      ...(before === null ? [] : [alone({ origin, points: before })]),
      part,
      ...(after === null ? [] : [alone({ origin, points: after })]),
    ]
  }
  for await (const batch of chunks) {
    const parts: StoredPart<Origin, Chunk>[] = []
    for (const chunk of batch) {
      const isOther = open[0]?.seriesId !== chunk.seriesId
      if (isOther || chunk.t0 > end) parts.push(...close(isOther))
      if (isOther) for await (const part of waiting.moveTo(blockOf(chunk.seriesId))) parts.push(alone(part))
      open.push(chunk)
      end = Math.max(end, chunk.t1)
    }
    yield parts
  }
  yield close(true)
  for await (const part of waiting.moveTo(Infinity)) yield [alone(part)]
}

interface SeriesBetween {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Reads the points in blocks of the series that `originsBetween` names, block by block. */
export async function* readBlocks<Origin extends SeriesOf>(
  rows: AsyncIterable<StoredBlockOf>,
  originsBetween: (series: SeriesBetween) => Promise<readonly Origin[]>,
): AsyncGenerator<BlockValues<Origin>> {
  for await (const [block, own] of byBlock(rows)) {
    const origins = await originsBetween({ from: block * SERIES_OF_BLOCK, to: (block + 1) * SERIES_OF_BLOCK })
    const wanted = new Set(origins.map(({ seriesId }) => seriesId))
    const segments = own.map(({ series, points }) => ({ generation: null, series, points }))
    yield { block, origins, points: await segmentPoints(segments, wanted) }
  }
}

/** The rows of each block. They come one after the other. */
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
