import { lowerBound } from '../chunks/columns.ts'

export function allIndexes(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, index) => index)
}

/**
 * Chooses at most `maxPoints` points (four or more): the first, the last, and the smallest and the largest point of
 * each stretch of time. The stretches are given by their edges, no more than `stretchesOf` such points; left out: as many
 * equal ones. No extreme value of the series is lost, so that a chart shows each fault. `exact`: as for `extremes`.
 */
export function envelope(
  at: Float64Array,
  values: Float64Array,
  maxPoints: number,
  edges: Float64Array = equalEdges(at, stretchesOf(maxPoints)),
  exact?: BigInt64Array,
): Uint32Array {
  const { length } = at
  if (maxPoints >= length) return allIndexes(length)
  const indexes = new Set([0])
  for (const [start, end] of stretches(at, edges)) {
    const [low, high] = extremes(values, start, end, exact)
    indexes.add(Math.min(low, high)).add(Math.max(low, high))
  }
  return Uint32Array.from(indexes.add(length - 1))
}

/** The number of stretches of which so many points show both extremes, beside the first and the last point. */
export function stretchesOf(maxPoints: number): number {
  return (maxPoints - 2) >>> 1
}

function equalEdges(at: Float64Array, count: number): Float64Array {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0]
  return Float64Array.from({ length: count + 1 }, (_, edge) =>
    edge === count ? Infinity : first + ((last - first) * edge) / count,
  )
}

/**
 * Divides the time from the first to the last point into at most so many stretches, each of as many whole units: the edges
 * are multiples of the unit, counted from the one before the first point.
 */
export function edgesByUnit(first: number, last: number, most: number, unit: number): Float64Array {
  const begin = Math.floor(first / unit) * unit
  const step = Math.ceil((last - begin + 1) / unit / most) * unit
  const count = Math.floor((last - begin) / step) + 1
  return Float64Array.from({ length: count + 1 }, (_, edge) => begin + edge * step)
}

/** The points between two edges, by their indexes; stretches without a point are left out. */
function* stretches(at: Float64Array, edges: Float64Array): Generator<readonly [number, number]> {
  let start = 0
  for (let edge = 1; edge < edges.length && start < at.length; edge++) {
    const end = lowerBound(at, edges[edge] ?? Infinity, start)
    if (end > start) yield [start, end]
    start = end
  }
}

/**
 * The index of the first of the smallest values from `start` to `end`, and that of the largest ones. `exact`: the whole
 * numbers of which the values are the nearest doubles, some of which are the same.
 */
export function extremes(
  values: Float64Array,
  start: number,
  end: number,
  exact?: BigInt64Array,
): readonly [low: number, high: number] {
  const isRounded = (value: number): boolean => exact !== undefined && Math.abs(value) > Number.MAX_SAFE_INTEGER
  let [low, high] = [start, start]
  for (let index = start + 1; index < end; index++) {
    const value = values[index]!
    if (value < values[low]!) low = index
    else if (value === values[low]! && isRounded(value) && exact![index]! < exact![low]!) low = index
    if (value > values[high]!) high = index
    else if (value === values[high]! && isRounded(value) && exact![index]! > exact![high]!) high = index
  }
  return [low, high]
}
