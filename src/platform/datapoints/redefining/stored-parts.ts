import { decodeChunk, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import type { Columns } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import type { SeriesOrigin, StoredChunkOf, StoredHotPoint } from '../../../store/datapoints/stored-values.ts'
import { hotColumns } from '../reading/read-points.ts'

/** Points of one series that follow each other, each time once. Overwritten points do not count. */
export interface StoredPart {
  readonly origin: SeriesOrigin
  readonly columns: Columns
}

export type KindOf = (characteristic: string) => ValueKind

/**
 * Decodes together what overlaps in time, which is a day of one series or a few at most. Chunks come series by series,
 * oldest first.
 */
export async function* storedParts(
  chunks: AsyncIterable<readonly StoredChunkOf[]>,
  hot: readonly StoredHotPoint[],
  kindOf: KindOf,
): AsyncGenerator<StoredPart> {
  const waiting = new HotSeries(hot)
  let part: StoredChunkOf[] = []
  let end = -Infinity
  for await (const batch of chunks) {
    for (const chunk of batch) {
      const [first] = part
      const isOther = first !== undefined && first.seriesId !== chunk.seriesId
      if (first !== undefined && (isOther || chunk.t0 > end)) {
        yield merged(first, part, waiting.take(first.seriesId, isOther ? Infinity : chunk.t0), kindOf)
        part = []
        end = -Infinity
      }
      part.push(chunk)
      end = Math.max(end, chunk.t1)
    }
  }
  const [first] = part
  if (first !== undefined) yield merged(first, part, waiting.take(first.seriesId, Infinity), kindOf)
  for (const points of waiting.rest()) {
    const [origin] = points
    if (origin !== undefined) yield merged(origin, [], points, kindOf)
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

/** Points that are not folded come last, because the last point of a flush counts. */
function merged(
  origin: SeriesOrigin,
  chunks: readonly StoredChunkOf[],
  hot: readonly StoredHotPoint[],
  kindOf: KindOf,
): StoredPart {
  const kind = kindOf(origin.key)
  const parts: GeneratedColumns[] = [...chunks.map(({ points }) => decodeChunk(points, kind)), hotColumns(hot, kind)]
  return { origin, columns: mergePoints(joinGenerated(parts)) }
}
