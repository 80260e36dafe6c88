import { lowerBound } from '../chunks/columns.ts'

export function allIndexes(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, index) => index)
}

/**
 * Chooses at most `maxPoints` points (four or more): the first, the last, and the smallest and the largest point of
 * each of as many equal stretches of time as possible. No extreme value of the series is lost, so that a chart shows
 * each fault.
 */
export function envelope(at: Float64Array, values: Float64Array, maxPoints: number): Uint32Array {
  const { length } = at
  if (maxPoints >= length) return allIndexes(length)
  const indexes = new Set([0])
  for (const [start, end] of stretches(at, (maxPoints - 2) >>> 1)) {
    const [low, high] = extremes(values, start, end)
    indexes.add(Math.min(low, high)).add(Math.max(low, high))
  }
  return Uint32Array.from(indexes.add(length - 1))
}

function* stretches(at: Float64Array, count: number): Generator<readonly [number, number]> {
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0]
  let start = 0
  for (let stretch = 1; stretch <= count && start < at.length; stretch++) {
    const end = stretch === count ? at.length : lowerBound(at, first + ((last - first) * stretch) / count, start)
    if (end > start) yield [start, end]
    start = end
  }
}

function extremes(values: Float64Array, start: number, end: number): readonly [low: number, high: number] {
  let [low, high] = [start, start]
  for (let index = start + 1; index < end; index++) {
    const value = values[index]!
    if (value < values[low]!) low = index
    if (value > values[high]!) high = index
  }
  return [low, high]
}
