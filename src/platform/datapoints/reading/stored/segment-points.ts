import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import type { ChunkValues } from '../../../../datapoints/codec/chunk-values.ts'
import { joinGenerated, mergePoints } from '../../../../datapoints/chunks/merge-points.ts'
import type { ValueKind } from '../../../../records/values/value.ts'
import type { SegmentPart } from '../../../../datapoints/segments/point-runs.ts'
import type { StoredSegment } from '../../../../store/datapoints/points/points.ts'
import { breather } from '../../../../db/breather.ts'
import { decodeStoredSegment } from '../../damaged-points.ts'

export type PointsBySeries = ReadonlyMap<number, GeneratedColumns[]>

/** After this many bytes of segments it pauses for other work, because decoding them takes some milliseconds. */
const BYTES_OF_TURN = 1_048_576

/** The points of the selected series in segments. Those of one series are unordered parts. */
export async function segmentPoints(
  segments: readonly StoredSegment[],
  wanted: ReadonlySet<number>,
): Promise<PointsBySeries> {
  const found = new Map<number, GeneratedColumns[]>()
  const breathe = breather()
  let bytes = 0
  for (const segment of segments) {
    bytes += segment.points.length
    if (bytes > BYTES_OF_TURN) {
      await breathe()
      bytes = 0
    }
    for (const { seriesId, points } of partsOf(segment, wanted)) {
      const parts = found.get(seriesId)
      if (parts === undefined) found.set(seriesId, [points])
      else parts.push(points)
    }
  }
  return found
}

/** The parts of a segment. A hot segment was encoded before its generation was drawn. */
export function partsOf(segment: StoredSegment, wanted?: ReadonlySet<number>): SegmentPart[] {
  const parts = decodeStoredSegment(segment, wanted)
  const { generation } = segment
  if (generation === null) return parts
  return parts.map((part) => ({ ...part, points: { ...part.points, generation } }))
}

/** The points of one series, each time once. */
export function mergedPoints(parts: readonly GeneratedColumns[] | undefined, kind: ValueKind): GeneratedColumns {
  return parts === undefined ? noPoints(kind) : mergePoints(joinGenerated(parts))
}

function noPoints(kind: ValueKind): GeneratedColumns {
  return { at: new Float64Array(), generation: 0, values: NO_VALUES[kind]() }
}

const NO_VALUES: { readonly [kind in ValueKind]: () => ChunkValues } = {
  float: () => new Float64Array(),
  integer: () => new BigInt64Array(),
  boolean: () => new Uint8Array(),
  text: () => [],
}
