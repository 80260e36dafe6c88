import { ENOUGH_POINTS } from './divide-points.ts'
import type { SegmentRow } from './segment.ts'

// Rows of a block have a level. Those of what came lately are below LASTING, and some of one level become one of the next
// until they are old. What is old and too little for chunks is in rows from LASTING on, where the same goes on with other
// numbers, and ends when a row is full.

/** The first level of rows that last. */
export const LASTING = 8
/** The level of rows that are merged no more. */
export const FULL = 16

/** Rows of one level become one row of the next also where, with 256 series, each has enough points for a chunk. */
export const POINTS_OF_LEVEL = 256 * ENOUGH_POINTS
/** A row with so many has a series with enough for chunks, unless these would be small. */
const POINTS_OF_FULL = 2 * POINTS_OF_LEVEL
/** A reader of one series of a row reads the whole row. */
const BYTES_OF_FULL = 2_097_152

export function isLasting(level: number): boolean {
  return level >= LASTING
}

/** The level of what rows of a level become. */
export function levelAfter(level: number): number {
  return Math.min(level, isLasting(level) ? FULL - 2 : LASTING - 2) + 1
}

/** The level of a row that lasts, where those that it comes from would become rows of `level`. */
export function levelOfLasting({ count, points }: Pick<SegmentRow, 'count' | 'points'>, level: number): number {
  const isFull = count >= POINTS_OF_FULL || points.length >= BYTES_OF_FULL
  return isFull ? FULL : Math.max(level, LASTING)
}
