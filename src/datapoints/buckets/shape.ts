import { allIndexes, extremes } from './envelope.ts'
import { lttb } from './lttb.ts'

/**
 * Chooses at most `maxPoints` points (four or more) that keep the look of the curve, with its smallest and its largest
 * value: a chart by them has the right scale, and the one fault of a year. `exact`: as for `extremes`. It yields where a
 * caller can do something else.
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
