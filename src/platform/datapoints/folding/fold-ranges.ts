import { blockOf, SERIES_OF_BLOCK } from '../../../datapoints/segments/fold-into-blocks.ts'
import { segmentOf, type PackedFlush, type Piece } from '../../../datapoints/segments/packed-flush.ts'
import type { SegmentPart } from '../../../datapoints/segments/point-runs.ts'
import { decodeStoredDirectory, decodeStoredSegment } from '../damaged-points.ts'

/** A flush as it is stored. Its segments were encoded before its number was drawn. */
export interface HotFlush extends PackedFlush {
  readonly generation: number
}

/** A segment of a flush. */
export interface HotPiece {
  readonly flush: HotFlush
  readonly piece: Piece
}

/** A range of series numbers that consists of whole blocks. */
interface SeriesRange {
  readonly first: number
  readonly end: number
}

/** If a series has only one point, the unpacked point takes a kilobyte. */
const POINTS_AT_ONCE = 8_000

/** Ranges of series that are folded one after the other, so that not all points are unpacked at once. */
export function rangesOf(pieces: readonly HotPiece[]): readonly SeriesRange[] {
  const counts = new Map<number, number>()
  for (const { flush, piece } of pieces)
    countBlocks(counts, decodeStoredDirectory(segmentOf(flush, piece), placeOf(piece)))
  const blocks = [...counts].sort(([a], [b]) => a - b)
  const ends: number[] = []
  let sum = 0
  for (const [block, count] of blocks) {
    sum += count
    if (sum < POINTS_AT_ONCE) continue
    ends.push((block + 1) * SERIES_OF_BLOCK)
    sum = 0
  }
  if (sum > 0) ends.push(Infinity)
  return ends.map((end, index) => ({ first: ends[index - 1] ?? 0, end }))
}

function countBlocks(
  counts: Map<number, number>,
  directory: { readonly series: Float64Array; readonly counts: Uint32Array },
): void {
  for (let run = 0; run < directory.series.length; run++) {
    const block = blockOf(directory.series[run] ?? 0)
    counts.set(block, (counts.get(block) ?? 0) + (directory.counts[run] ?? 0))
  }
}

/** The points of the series in a range. */
export function decodeRange(pieces: readonly HotPiece[], { first, end }: SeriesRange): SegmentPart[] {
  const wanted = { has: (series: number) => series >= first && series < end }
  const parts: SegmentPart[] = []
  for (const { flush, piece } of pieces) {
    if (piece.lastSeries < first || piece.firstSeries >= end) continue
    for (const part of decodeStoredSegment(segmentOf(flush, piece), wanted, placeOf(piece)))
      parts.push(ofGeneration(part, flush.generation))
  }
  return parts
}

function ofGeneration({ points, ...part }: SegmentPart, generation: number): SegmentPart {
  return { ...part, points: { ...points, generation } }
}

function placeOf({ firstSeries, lastSeries }: Piece): string {
  return `of the series ${firstSeries} to ${lastSeries}`
}
