import type { PointColumns } from '../chunks/flush.ts'
import { encodeSegments, type Segment, type SegmentRow } from './segment.ts'
import { sortPoints } from './sort-points.ts'

/** Segments with their bytes in one array, so that they go to the database and to other threads as one piece. */
export interface PackedFlush {
  readonly pieces: readonly Piece[]
  readonly body: Uint8Array<ArrayBuffer>
  /** The number of points. Points of one series and time count once. */
  readonly count: number
}

export interface Piece extends Omit<SegmentRow, keyof Segment> {
  readonly domainId: number
  /** The places of the piece's bytes: first the bytes of the series, then the bytes of the points. */
  readonly at: number
  readonly seriesBytes: number
  readonly pointsBytes: number
}

/** The maximum number of bytes of a segment. Two such segments and their overhead fill a page of the database. */
const MOST_BYTES = 3_950

/** Packs the points of several domains. If two points have the same series and time, the later one stays. */
export function packFlush(domains: ReadonlyMap<number, PointColumns>): PackedFlush {
  return packSegments(
    [...domains].flatMap(([domainId, points]) =>
      encodeSegments(sortPoints(points), MOST_BYTES).map((row) => ({ ...row, domainId })),
    ),
  )
}

export function packSegments(rows: readonly (SegmentRow & { readonly domainId: number })[]): PackedFlush {
  const body = new Uint8Array(rows.reduce((sum, { series, points }) => sum + series.length + points.length, 0))
  let [at, count] = [0, 0]
  const pieces = rows.map(({ series, points, ...piece }): Piece => {
    const begin = at
    body.set(series, begin)
    body.set(points, begin + series.length)
    at += series.length + points.length
    count += piece.count
    return { ...piece, at: begin, seriesBytes: series.length, pointsBytes: points.length }
  })
  return { pieces, body, count }
}

export function segmentOf({ body }: PackedFlush, { at, seriesBytes, pointsBytes }: Piece): Segment {
  const middle = at + seriesBytes
  return { series: body.subarray(at, middle), points: body.subarray(middle, middle + pointsBytes) }
}
