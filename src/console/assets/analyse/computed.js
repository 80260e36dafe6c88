import { larger, smaller } from './figures.js'

// Computes figures of the points of a window. The platform uses this code when it reads a page, and the page when
// points arrive, so both get equal results.

/** The maximum number of points that are drawn one by one. */
export const MOST_RAW = 2_000

/** A distance is a gap if it is longer than the usual distance times this factor. */
const FACTOR = 4
const QUANTILE = 0.95
/** The fewest points from which the usual distance can be computed. */
const LEAST = 4

/**
 * Finds the gaps of a series that sends regularly. The usual distance is computed from the window, because the model
 * does not define it. A device that reports only changes has irregular distances, so a high quantile is used.
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
 * The figures of all points of a window; null if there are no points.
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
 * Rounds a mean to its meaningful digits. The result stays between the minimum and the maximum.
 * @param {number} value
 * @returns {number}
 */
export function shortened(value) {
  return Math.abs(value) < 1e6 ? Number(value.toPrecision(7)) : Math.round(value)
}
