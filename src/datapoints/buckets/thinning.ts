import { lowerBound } from '../chunks/point-columns.ts'

/**
 * Chooses at most `maxPoints` points (four or more) that keep the look of the curve. The smallest and the largest value
 * are among them, so a chart has the right scale and shows the single fault of a year. `exact`: as for `extremes`. It
 * yields now and then, so that the caller can do other work.
 */
export function* shape(
  at: Float64Array,
  values: Float64Array,
  maxPoints: number,
  exact?: BigInt64Array,
): Generator<undefined, Uint32Array> {
  if (maxPoints >= at.length) return allIndexes(at.length)
  const both = extremes(values, 0, values.length, exact)
  const chosen = new Set(yield* lttb(at, values, maxPoints - both.length))
  for (const extreme of both) chosen.add(extreme)
  return Uint32Array.from(chosen).sort()
}

function allIndexes(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, index) => index)
}

/**
 * Chooses at most `maxPoints` points (four or more): the first, the last, and the smallest and the largest point of
 * each stretch of time. `edges` divides the time into at most `stretchesOf(maxPoints)` stretches; if omitted, into as
 * many equal ones. No extreme value is lost, so a chart shows each fault. `exact`: as for `extremes`.
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

/** Returns how many stretches `maxPoints` points can show: two extremes each, besides the first and the last point. */
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
 * Divides the time from the first to the last point into at most `most` equal stretches of whole units. All edges are
 * multiples of the unit; the first edge is not after the first point.
 */
export function edgesByUnit(first: number, last: number, most: number, unit: number): Float64Array {
  const begin = Math.floor(first / unit) * unit
  const step = Math.ceil((last - begin + 1) / unit / most) * unit
  const count = Math.floor((last - begin) / step) + 1
  return Float64Array.from({ length: count + 1 }, (_, edge) => begin + edge * step)
}

/** Yields the first and the end index of each stretch. Skips stretches without a point. */
function* stretches(at: Float64Array, edges: Float64Array): Generator<readonly [number, number]> {
  let start = 0
  for (let edge = 1; edge < edges.length && start < at.length; edge++) {
    const end = lowerBound(at, edges[edge] ?? Infinity, start)
    if (end > start) yield [start, end]
    start = end
  }
}

/**
 * Returns the index of the smallest and of the largest value from `start` to `end`; of equal values, the first counts.
 * `exact`: the whole numbers from which the values were rounded to doubles, to compare values that became equal.
 */
function extremes(
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

/**
 * Largest triangle three buckets (Steinarsson 2013, "Downsampling time series for visual representation"): chooses at
 * most `maxPoints` points (two or more) that keep the look of the curve. The first and the last point are always
 * among them. It yields now and then, because there may be millions of points.
 */
export function* lttb(at: Float64Array, values: Float64Array, maxPoints: number): Generator<undefined, Uint32Array> {
  const { length } = at
  if (maxPoints >= length) return allIndexes(length)
  if (maxPoints <= 2) return Uint32Array.of(0, length - 1)
  const scale = 1 / largest(values)
  const indexes = new Uint32Array(maxPoints)
  const edge = (bucket: number): number => Math.floor((bucket * (length - 2)) / (maxPoints - 2)) + 1
  for (let bucket = 0; bucket < maxPoints - 2; bucket++) {
    const next = meanPoint(at, values, edge(bucket + 1), edge(bucket + 2), scale)
    indexes[bucket + 1] = farthest(at, values, edge(bucket), edge(bucket + 1), indexes[bucket] ?? 0, next, scale)
    if (bucket % BUCKETS_AT_ONCE === 0) yield
  }
  indexes[maxPoints - 1] = length - 1
  return indexes
}

const BUCKETS_AT_ONCE = 100

interface Mean {
  readonly x: number
  readonly y: number
}

function meanPoint(at: Float64Array, values: Float64Array, start: number, end: number, scale: number): Mean {
  let [x, y] = [0, 0]
  const stop = Math.min(end, at.length)
  const share = 1 / (stop - start)
  for (let index = start; index < stop; index++) {
    x += at[index]! * share
    y += values[index]! * scale * share
  }
  return { x, y }
}

/** Finds the point that forms the largest triangle with the previous chosen point and the mean of the next bucket. */
function farthest(
  at: Float64Array,
  values: Float64Array,
  start: number,
  end: number,
  chosen: number,
  next: Mean,
  scale: number,
): number {
  const [x, y] = [at[chosen]!, values[chosen]! * scale]
  let [best, farthestIndex] = [-1, start]
  for (let index = start; index < end; index++) {
    const area = Math.abs((x - next.x) * (values[index]! * scale - y) - (x - at[index]!) * (next.y - y))
    if (area > best) [best, farthestIndex] = [area, index]
  }
  return farthestIndex
}

/** The largest absolute value is the unit of areas: they are only compared, and stay within the range of doubles. */
function largest(values: Float64Array): number {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  // The reciprocal of a subnormal number would be infinite.
  return Math.max(most, 1e-300)
}
