import { allIndexes } from './envelope.ts'

/**
 * Largest triangle three buckets (Steinarsson 2013, "Downsampling time series for visual representation"): chooses at
 * most `maxPoints` points (two or more) that keep the look of the curve. The first and the last point are always
 * among them. It yields now and then, since there may be millions of points.
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

/** The point that forms the largest triangle with the one chosen before and the mean of the next bucket. */
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

/**
 * The largest absolute value. Areas are only compared, so they are computed in units of it to stay within the range
 * of doubles.
 */
function largest(values: Float64Array): number {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  // The reciprocal of a subnormal number would be infinite.
  return Math.max(most, 1e-300)
}
