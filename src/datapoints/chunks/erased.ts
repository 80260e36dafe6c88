import { generationAt, type GeneratedColumns } from './chunk.ts'
import { pickPoints } from './merge-points.ts'
import { lowerBound } from './point-columns.ts'

/** A range of a series whose points were deleted (docs/decisions/0074). Points of flushes after the preview stay. */
export interface ErasedRange {
  /** Microseconds since 1970. The end is not part of the range. */
  readonly from: number
  readonly to: number
  /** The highest generation whose points are deleted. */
  readonly through: number
}

/** The erased ranges of a series; null, empty or left out if there are none. */
export type Erased = readonly ErasedRange[] | null | undefined

export function hasErased(erased: Erased): erased is readonly ErasedRange[] {
  return erased !== null && erased !== undefined && erased.length > 0
}

/** Tells whether a point between two times may be deleted. */
export function mayBeErased(erased: Erased, first: number, last: number): boolean {
  return erased?.some(({ from, to }) => first < to && last >= from) ?? false
}

/** Returns the points without deleted ones. Their times must ascend. */
export function withoutErased(points: GeneratedColumns, erased: Erased): GeneratedColumns {
  const left = indexesLeft(points, erased)
  return left === null ? points : pickPoints(points, left)
}

/** Returns the indexes of the points that are not deleted; null if none is deleted. The times must ascend. */
export function indexesLeft(points: Omit<GeneratedColumns, 'values'>, erased: Erased): Uint32Array | null {
  if (!hasErased(erased)) return null
  const { at } = points
  const isGone = new Uint8Array(at.length)
  let gone = 0
  for (const { from, to, through } of erased) {
    const end = lowerBound(at, to)
    for (let index = lowerBound(at, from); index < end; index++) {
      if (isGone[index] === 1 || generationAt(points, index) > through) continue
      isGone[index] = 1
      gone++
    }
  }
  if (gone === 0) return null
  const left = new Uint32Array(at.length - gone)
  let next = 0
  for (let index = 0; index < at.length; index++) if (isGone[index] === 0) left[next++] = index
  return left
}
