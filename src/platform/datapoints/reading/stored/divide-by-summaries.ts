import { lowerBound, type Columns } from '../../../../datapoints/chunks/point-columns.ts'
import { isComplete } from '../../../../datapoints/chunks/summaries.ts'
import type { Summary } from '../../../../datapoints/chunks/summary.ts'
import type { Slice } from './range-slices.ts'

/** Points of a series that follow each other: themselves, or only what they come to. */
export type Stretch = Summary | Columns

export function isSummary(stretch: Stretch | UnreadSlice): stretch is Summary {
  return 'kind' in stretch
}

/** A slice of which the points are to be read, and about how many. */
export interface UnreadSlice extends Slice {
  readonly count: number
}

/** The known facts about a series in a range. */
interface Known extends Slice {
  /** The summaries that are stored, by their beginning; they may overlap and reach beyond the range. */
  readonly summaries: readonly Summary[]
  /** The times of the points that are not in chunks yet, in ascending order. */
  readonly otherTimes: Float64Array
  /** No stretch goes on over one of these times, which ascend. */
  readonly edges: Float64Array
}

/**
 * Divides a range, without gap or overlap, into stretches whose summary says it all and slices whose points must be read.
 * A summary counts only where nothing else lies over it: no other chunk and no point that is not in chunks yet, of which
 * one might replace a point of it.
 */
export function* divideBySummaries({
  from,
  to,
  summaries,
  otherTimes,
  edges,
}: Known): Generator<Summary | UnreadSlice> {
  const isWithinBucket = bucketTest(edges)
  let [since, count, reached] = [from, 0, -Infinity]
  for (const [index, summary] of summaries.entries()) {
    const { at: begin } = summary.first
    const { at: end } = summary.last
    if (end < from || begin >= to) continue
    const isFree =
      begin > reached && (summaries[index + 1]?.first.at ?? Infinity) > end && !hasTime(otherTimes, begin, end)
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

/** Is asked about one stretch after the other, in the order of time. */
function bucketTest(edges: Float64Array): (begin: number, end: number) => boolean {
  let bucket = 0
  return (begin, end) => {
    while ((edges[bucket + 1] ?? Infinity) <= begin) bucket++
    return end < (edges[bucket + 1] ?? Infinity)
  }
}
