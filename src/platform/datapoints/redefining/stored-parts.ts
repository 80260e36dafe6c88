import { decodeChunk, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import type { Columns } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import type { SeriesOrigin, StoredChunkOf, StoredHotPoint } from '../../../store/datapoints/stored-values.ts'
import { hotColumns } from '../reading/read-points.ts'

/** What is stored of one series in a time: chunks that overlap each other, and points that are not folded. */
export interface StoredPart {
  readonly origin: SeriesOrigin
  readonly kind: ValueKind
  readonly chunks: readonly StoredChunkOf[]
  readonly hot: readonly StoredHotPoint[]
}

export type KindOf = (characteristic: string) => ValueKind

/**
 * Puts together what overlaps in time, which is a day of one series or a few at most. Chunks come series by series, oldest
 * first, and parts as they do, some at a time.
 */
export async function* storedParts(
  chunks: AsyncIterable<readonly StoredChunkOf[]>,
  hot: readonly StoredHotPoint[],
  kindOf: KindOf,
): AsyncGenerator<readonly StoredPart[]> {
  const waiting = new HotSeries(hot)
  let open: StoredChunkOf[] = []
  let end = -Infinity
  const close = (before: number): StoredPart[] => {
    const [origin] = open
    if (origin === undefined) return []
    const part = { origin, kind: kindOf(origin.key), chunks: open, hot: waiting.take(origin.seriesId, before) }
    open = []
    end = -Infinity
    return [part]
  }
  for await (const batch of chunks) {
    const parts: StoredPart[] = []
    for (const chunk of batch) {
      const isOther = open[0]?.seriesId !== chunk.seriesId
      if (isOther || chunk.t0 > end) parts.push(...close(isOther ? Infinity : chunk.t0))
      open.push(chunk)
      end = Math.max(end, chunk.t1)
    }
    yield parts
  }
  yield close(Infinity)
  for (const points of waiting.rest()) {
    const [origin] = points
    if (origin !== undefined) yield [{ origin, kind: kindOf(origin.key), chunks: [], hot: points }]
  }
}

/** The hot points of each series, in the order of time; those of one time are in the order of writing. */
class HotSeries {
  readonly #points: Map<number, StoredHotPoint[]>

  constructor(hot: readonly StoredHotPoint[]) {
    this.#points = Map.groupBy(
      hot.toSorted((a, b) => a.at - b.at),
      ({ seriesId }) => seriesId,
    )
  }

  /** Takes the points before a time. */
  take(seriesId: number, before: number): readonly StoredHotPoint[] {
    const points = this.#points.get(seriesId)
    if (points === undefined) return []
    const later = points.findIndex(({ at }) => at >= before)
    return points.splice(0, later < 0 ? points.length : later)
  }

  /** Takes all that is left, a day at a time. */
  *rest(): Iterable<readonly StoredHotPoint[]> {
    for (const points of this.#points.values()) yield* Map.groupBy(points, ({ at }) => Math.floor(at / DAY)).values()
  }
}

/** Decodes a part with each time once; `points` are those of its chunks. Overwritten points are left out. */
export function decodePart({ kind, hot }: StoredPart, points: readonly Uint8Array[]): Columns {
  // Points that are not folded come last, because the last point of a flush counts.
  const parts: GeneratedColumns[] = [...points.map((bytes) => decodeChunk(bytes, kind)), hotColumns(hot, kind)]
  return mergePoints(joinGenerated(parts))
}
