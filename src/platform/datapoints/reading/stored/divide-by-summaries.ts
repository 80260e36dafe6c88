import { type Erased, mayBeErased } from '../../../../datapoints/chunks/erased.ts'
import { lowerBound, type Columns } from '../../../../datapoints/chunks/point-columns.ts'
import { isComplete } from '../../../../datapoints/chunks/summaries.ts'
import type { Summary } from '../../../../datapoints/chunks/summary.ts'
import type { Slice } from './range-slices.ts'

/** Consecutive points of a series: the points themselves, or only their summary. */
export type Stretch = Summary | Columns

export function isSummary(stretch: Stretch | UnreadSlice): stretch is Summary {
  return 'kind' in stretch
}

/** A slice whose points must be read, and their approximate number. */
export interface UnreadSlice extends Slice {
  readonly count: number
}

/** The known facts about a series in a range. */
interface Known extends Slice {
  /** The stored summaries, by their beginning. They may overlap and reach beyond the range. */
  readonly summaries: readonly Summary[]
  /** The times of the points that are not in chunks yet, in ascending order. */
  readonly otherTimes: Float64Array
  /** No stretch crosses one of these times, which ascend. */
  readonly edges: Float64Array
  /** Points in these ranges are read, because some of them may be deleted. */
  readonly erased?: Erased
}

/**
 * Divides a range, without gap or overlap, into stretches that a summary describes completely, and slices whose points
 * must be read. A summary is only used if no other chunk, and no point outside of chunks, overlaps it. Such a point
 * might replace one of its points.
 */
export function* divideBySummaries({
  from,
  to,
  summaries,
  otherTimes,
  edges,
  erased,
}: Known): Generator<Summary | UnreadSlice> {
  const isWithinBucket = bucketTest(edges)
  let [since, count, reached] = [from, 0, -Infinity]
  for (const [index, summary] of summaries.entries()) {
    const { at: begin } = summary.first
    const { at: end } = summary.last
    if (end < from || begin >= to) continue
    const isFree =
      begin > reached &&
      (summaries[index + 1]?.first.at ?? Infinity) > end &&
      !hasTime(otherTimes, begin, end) &&
      !mayBeErased(erased, begin, end)
    reached = Math.max(reached, end)
    if (isFree && begin >= since && end < to && isWithinBucket(begin, end) && isComplete(summary)) {
      if (count > 0 || hasTime(otherTimes, since, begin - 1)) yield { from: since, to: begin, count }
      yield summary
      ;[since, count] = [end + 1, 0]
    } else count += summary.count
  }
  if (since < to && (count > 0 || hasTime(otherTimes, since, to - 1))) yield { from: since, to, count }
}

function hasTime(at: Float64Array, from: number, until: number): boolean {
  return (at[lowerBound(at, from)] ?? Infinity) <= until
}

/** Returns a function that must be called for the stretches in order of time. */
function bucketTest(edges: Float64Array): (begin: number, end: number) => boolean {
  let bucket = 0
  return (begin, end) => {
    while ((edges[bucket + 1] ?? Infinity) <= begin) bucket++
    return end < (edges[bucket + 1] ?? Infinity)
  }
}
