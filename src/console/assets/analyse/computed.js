import { larger, smaller } from './figures.js'

// Computes figures of the points of a window: for the platform when it reads a page, and for the page as points arrive.
// Both results are equal.

/** Up to so many points are drawn as they are. */
export const MOST_RAW = 2_000

/** So many times the usual distance between two points is a gap. */
const FACTOR = 4
const QUANTILE = 0.95
/** Fewer points do not say how often they come. */
const LEAST = 4

/**
 * Where a series that keeps coming does not come. How often it comes is seen from the window itself, because nothing
 * says how often it should; a device that reports changes has many distances, of which the long ones count.
 * @param {readonly number[]} times
 * @param {{ readonly from: number, readonly to: number }} window `to`: its end, or the present, whichever comes first
 * @param {number} interval the length of a bucket; 0 for points
 * @returns {[from: number, to: number][]}
 */
export function findGaps(times, { from, to }, interval) {
  if (times.length === 0) return to > from ? [[from, to]] : []
  const limit = FACTOR * usualDistance(times, to - from)
  /** @type {[number, number][]} */
  const gaps = []
  let end = from
  for (const next of [...times, to]) {
    if (next - end > limit) gaps.push([end, next])
    end = next + interval
  }
  return gaps
}

function usualDistance(times, whole) {
  if (times.length < LEAST) return whole
  const distances = Float64Array.from(times.slice(1), (time, index) => time - times[index]).sort()
  return distances[Math.floor((distances.length - 1) * QUANTILE)] ?? whole
}

/**
 * The figures of all points of a window; null without any.
 * @param {readonly { readonly count: number, readonly min: number | string, readonly mean: number, readonly max: number | string }[]} parts
 * @returns {{ count: number, min: number | string, mean: number, max: number | string } | null}
 */
export function wholeOf(parts) {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  if (count === 0) return null
  return {
    count,
    min: parts.map(({ min }) => min).reduce(smaller),
    mean: shortened(parts.reduce((sum, part) => sum + part.mean * (part.count / count), 0)),
    max: parts.map(({ max }) => max).reduce(larger),
  }
}

/**
 * @param {readonly (number | string)[]} values
 * @returns {ReturnType<typeof wholeOf>}
 */
export function wholeOfValues(values) {
  return wholeOf(values.map((value) => ({ count: 1, min: value, mean: Number(value), max: value })))
}

/**
 * A mean is computed: more digits than these are none, but it stays between the minimum and the maximum.
 * @param {number} value
 * @returns {number}
 */
export function shortened(value) {
  return Math.abs(value) < 1e6 ? Number(value.toPrecision(7)) : Math.round(value)
}
