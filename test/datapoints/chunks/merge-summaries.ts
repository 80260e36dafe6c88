import { ExactSum } from '../../../src/datapoints/chunks/exact-sum.ts'
import type { Summary, SummaryPoint } from '../../../src/datapoints/chunks/summary.ts'

/** The summary of two parts of one series, of which the later one begins after the end of the earlier one. */
export function mergeSummaries(earlier: Summary, later: Summary): Summary {
  const ends = { count: earlier.count + later.count, last: later.last }
  if (earlier.kind === 'float' && later.kind === 'float') {
    const sum = new ExactSum()
    for (const part of [...earlier.sum, ...later.sum]) sum.add(part)
    return { ...earlier, ...ends, last: later.last, ...extremes(earlier, later), sum: sum.parts() }
  }
  if (earlier.kind === 'integer' && later.kind === 'integer')
    return { ...earlier, ...ends, last: later.last, ...extremes(earlier, later), sum: earlier.sum + later.sum }
  return { ...earlier, ...ends } as Summary
}

interface Extremes<Value> {
  readonly least: SummaryPoint<Value>
  readonly most: SummaryPoint<Value>
}

function extremes<Value>(earlier: Extremes<Value>, later: Extremes<Value>): Extremes<Value> {
  return {
    least: later.least.value < earlier.least.value ? later.least : earlier.least,
    most: later.most.value > earlier.most.value ? later.most : earlier.most,
  }
}
