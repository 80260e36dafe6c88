import { ENOUGH_POINTS } from './divide-points.ts'
import type { SegmentRow } from './segment.ts'

// Each row of a block has a level. Rows with recent points have levels below LASTING. Several rows of one level are
// merged into one row of the next level, until their points are old. Old points that are too few for chunks are in rows
// of level LASTING and above. These rows are merged in the same way, until a row is full.

/** The first level of lasting rows. */
export const LASTING = 8
/** The level of full rows, which are no longer merged. */
export const FULL = 16

/** Rows of one level are also merged if they have this many points: enough for a chunk for each of 256 series. */
export const POINTS_OF_LEVEL = 256 * ENOUGH_POINTS
/**
 * The points of a full row. With this many, at least one series has enough points for chunks, unless the chunks would
 * be small.
 */
const POINTS_OF_FULL = 2 * POINTS_OF_LEVEL
/** Bytes of a full row. It is limited because a reader of one series reads the whole row. */
const BYTES_OF_FULL = 2_097_152

export function isLasting(level: number): boolean {
  return level >= LASTING
}

/** Returns the level of the row into which rows of a level are merged. */
export function levelAfter(level: number): number {
  return Math.min(level, isLasting(level) ? FULL - 2 : LASTING - 2) + 1
}

/** Returns the level of a lasting row. `level` is the next level of the rows from which it was merged. */
export function levelOfLasting({ count, points }: Pick<SegmentRow, 'count' | 'points'>, level: number): number {
  const isFull = count >= POINTS_OF_FULL || points.length >= BYTES_OF_FULL
  return isFull ? FULL : Math.max(level, LASTING)
}
