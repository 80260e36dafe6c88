import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import type { Columns } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import { blockOf } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { SeriesOrigin, StoredChunkOf } from '../../../store/datapoints/points/stored-values.ts'
import { decodeStored } from '../damaged-points.ts'
import { OtherSeries, type OtherPart, type Others } from './other-series.ts'

/** What is stored of one series in a time: chunks that overlap each other, and points that are not in chunks. */
export interface StoredPart {
  readonly origin: SeriesOrigin
  readonly kind: ValueKind
  readonly chunks: readonly StoredChunkOf[]
  readonly others: GeneratedColumns | null
}

export type KindOf = (characteristic: string) => ValueKind

/**
 * Puts together what overlaps in time, which is a day of one series or a few at most. Chunks come series by series, oldest
 * first, and parts as they do, some at a time.
 */
export async function* storedParts(
  chunks: AsyncIterable<readonly StoredChunkOf[]>,
  others: Others,
  kindOf: KindOf,
): AsyncGenerator<readonly StoredPart[]> {
  const waiting = new OtherSeries(others)
  let open: StoredChunkOf[] = []
  let end = -Infinity
  const close = (before: number): StoredPart[] => {
    const [origin] = open
    if (origin === undefined) return []
    const part = { origin, kind: kindOf(origin.key), chunks: open, others: waiting.take(origin.seriesId, before) }
    open = []
    end = -Infinity
    return [part]
  }
  const alone = ({ origin, points }: OtherPart): StoredPart[] => [
    { origin, kind: kindOf(origin.key), chunks: [], others: points },
  ]
  for await (const batch of chunks) {
    const parts: StoredPart[] = []
    for (const chunk of batch) {
      const isOther = open[0]?.seriesId !== chunk.seriesId
      if (isOther || chunk.t0 > end) parts.push(...close(isOther ? Infinity : chunk.t0))
      if (isOther) for await (const part of waiting.moveTo(blockOf(chunk.seriesId))) parts.push(...alone(part))
      open.push(chunk)
      end = Math.max(end, chunk.t1)
    }
    yield parts
  }
  yield close(Infinity)
  for await (const part of waiting.moveTo(Infinity)) yield alone(part)
}

/** Decodes a part with each time once; `points` are those of its chunks. Overwritten points are left out. */
export function decodePart({ kind, chunks, others, origin }: StoredPart, points: readonly Uint8Array[]): Columns {
  const packed = points.map((bytes, index) => decodeStored(chunks[index] ?? origin, bytes, kind))
  return mergePoints(joinGenerated(others === null ? packed : [...packed, others]))
}
