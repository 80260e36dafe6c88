/** A stretch of time without data, in the unit of the times that it was found in. */
export interface Gap {
  readonly from: number
  readonly to: number
}

interface Looked {
  readonly from: number
  /** Where the window ends, or the present, whichever comes first. */
  readonly to: number
  /** The length of a bucket; 0 for points. */
  readonly interval: number
}

/** So many times the usual distance between two points is a gap. */
const FACTOR = 4
const QUANTILE = 0.95
/** Fewer points do not say how often they come. */
const LEAST = 4

/**
 * Where a series that keeps coming does not come. How often it comes is seen from the window itself, because nothing
 * says how often it should; a device that reports changes has many distances, of which the long ones count.
 */
export function findGaps(times: readonly number[], { from, to, interval }: Looked): Gap[] {
  if (times.length === 0) return to > from ? [{ from, to }] : []
  const limit = FACTOR * usualDistance(times, to - from)
  const gaps: Gap[] = []
  let end = from
  for (const next of [...times, to]) {
    if (next - end > limit) gaps.push({ from: end, to: next })
    end = next + interval
  }
  return gaps
}

function usualDistance(times: readonly number[], whole: number): number {
  if (times.length < LEAST) return whole
  const distances = Float64Array.from(times.slice(1), (time, index) => time - (times[index] ?? 0)).sort()
  return distances[Math.floor((distances.length - 1) * QUANTILE)] ?? whole
}
