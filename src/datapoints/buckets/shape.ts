import { allIndexes, extremes } from './envelope.ts'
import { lttb } from './lttb.ts'

/**
 * Chooses at most `maxPoints` points (four or more) that keep the look of the curve, with its smallest and its largest
 * value: a chart by them has the right scale, and the one fault of a year.
 */
export function shape(at: Float64Array, values: Float64Array, maxPoints: number): Uint32Array {
  if (maxPoints >= at.length) return allIndexes(at.length)
  const both = extremes(values, 0, values.length)
  const chosen = new Set(lttb(at, values, maxPoints - both.length))
  for (const extreme of both) chosen.add(extreme)
  return Uint32Array.from(chosen).sort()
}
