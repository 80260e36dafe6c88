import { HoldfastError } from '../../lib/errors.ts'
import { kindOf, lowerBound, type Before, type Cell, type Columns, charactersOfCell } from '../chunks/point-columns.ts'
import type { Summary } from '../chunks/summary.ts'
import { percentileAccumulator, timeWeightedAccumulator, type Holding } from './accumulators-over-time.ts'
import {
  changesAccumulator,
  countAccumulator,
  deltaAccumulator,
  extremeAccumulator,
  firstAccumulator,
  floatSumAccumulator,
  integerSumAccumulator,
  lastAccumulator,
  type Accumulator,
} from './accumulators.ts'
import type { ValueKind } from '../../records/values/value.ts'

export const AGGREGATIONS = [
  'min',
  'max',
  'avg',
  'timeWeightedAvg',
  'sum',
  'count',
  'first',
  'last',
  'median',
  'p95',
  'delta',
  'changes',
] as const

export type Aggregation = (typeof AGGREGATIONS)[number]

/** The aggregations that each kind of value allows. Of whole numbers, all but means and percentiles are exact. */
const ALLOWED: { readonly [kind in ValueKind]: readonly Aggregation[] } = {
  float: AGGREGATIONS,
  integer: AGGREGATIONS,
  boolean: ['timeWeightedAvg', 'count', 'first', 'last', 'changes'],
  text: ['count', 'first', 'last', 'changes'],
}

export function checkAggregations(kind: ValueKind, aggregations: readonly Aggregation[]): void {
  const wrong = aggregations.filter((aggregation) => !ALLOWED[kind].includes(aggregation))
  if (wrong.length === 0) return
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${wrong.join(', ')} cannot be made of ${kind} values; possible are ${ALLOWED[kind].join(', ')}`,
  )
}

/** The aggregations that can be computed from summaries of points. */
const OF_SUMMARIES: { readonly [kind in ValueKind]: readonly Aggregation[] } = {
  float: ['min', 'max', 'avg', 'sum', 'count', 'first', 'last', 'delta'],
  integer: ['min', 'max', 'avg', 'sum', 'count', 'first', 'last', 'delta'],
  boolean: ['count', 'first', 'last'],
  text: ['count'],
}

export function canBeSummed(kind: ValueKind, aggregations: readonly Aggregation[]): boolean {
  return aggregations.every((aggregation) => OF_SUMMARIES[kind].includes(aggregation))
}

/** For each aggregation, one cell for each bucket. */
export interface Aggregated {
  readonly edges: Float64Array
  /** The number of points in each bucket. */
  readonly counts: readonly number[]
  readonly cells: { readonly [aggregation in Aggregation]?: readonly Cell[] }
}

interface Aggregating {
  readonly kind: ValueKind
  readonly edges: Float64Array
  readonly aggregations: readonly Aggregation[]
  /** The last point before the first edge. */
  readonly before?: Before | undefined
  /** The last value is assumed to hold until this time, or, if omitted, until the last edge. */
  readonly knownUntil?: number | undefined
}

/** Aggregates a series that comes in parts, in order. It sees each point once; the cuts do not change the result. */
export class Aggregator {
  readonly #edges: Float64Array
  readonly #accumulators: readonly (readonly [Aggregation, Accumulator, Cell[]])[]
  readonly #count = countAccumulator()
  readonly #counts: number[] = []
  #bucket = 0
  #lastAt: number | null = null
  #characters = 0

  constructor({ kind, edges, aggregations, before, knownUntil = Infinity }: Aggregating) {
    checkAggregations(kind, aggregations)
    this.#edges = edges
    const holding = { before, beginning: edges[0] ?? 0, knownUntil }
    this.#accumulators = [...new Set(aggregations)].map((name) => [name, accumulatorFor(name, kind, holding), []])
  }

  add(columns: Columns): void {
    const { at } = columns
    const end = lowerBound(at, this.#edges.at(-1) ?? 0)
    let start = lowerBound(at, this.#edges[0] ?? 0)
    while (start < end) {
      const edge = this.#edges[this.#bucket + 1] ?? Infinity
      const stop = Math.min(end, nearbyLowerBound(at, edge, start))
      this.#take(columns, start, stop)
      start = stop
      if (start < end) this.#closeUntil(at[start] ?? Infinity)
    }
  }

  /** The time of the last added point; null before the first one. */
  get lastAt(): number | null {
    return this.#lastAt
  }

  /** The number of characters of all texts in the buckets so far. They are all in memory. */
  get characters(): number {
    return this.#characters
  }

  /** The number of values of the open bucket that are in memory. */
  get held(): number {
    return this.#accumulators.reduce((sum, [, { held = 0 }]) => sum + held, 0)
  }

  /** Adds the summary of points that all lie within one bucket. */
  addSummary(summary: Summary): void {
    this.#closeUntil(summary.first.at)
    this.#lastAt = summary.last.at
    this.#count.takeSummary?.(summary)
    for (const [name, accumulator] of this.#accumulators) {
      if (accumulator.takeSummary === undefined) throw new TypeError(`${name} cannot be made of summaries`)
      accumulator.takeSummary(summary)
    }
  }

  #take(columns: Columns, start: number, end: number): void {
    if (start === end) return
    this.#lastAt = columns.at[end - 1] ?? this.#lastAt
    this.#count.take(columns, start, end)
    for (const [, accumulator] of this.#accumulators) accumulator.take(columns, start, end)
  }

  #closeUntil(time: number): void {
    for (; this.#bucket < this.#edges.length - 1; this.#bucket++) {
      const end = this.#edges[this.#bucket + 1] ?? Infinity
      if (end > time) return
      this.#counts.push(this.#count.close(end))
      for (const [, accumulator, cells] of this.#accumulators) {
        const cell = accumulator.close(end)
        this.#characters += charactersOfCell(cell)
        cells.push(cell)
      }
    }
  }

  finish(): Aggregated {
    this.#closeUntil(Infinity)
    const cells = Object.fromEntries(this.#accumulators.map(([name, , column]) => [name, column]))
    return { edges: this.#edges, counts: this.#counts, cells }
  }
}

/** Finds the end of a bucket. It doubles its steps and then bisects, because a bucket is usually short. */
function nearbyLowerBound(at: Float64Array, edge: number, start: number): number {
  let step = 1
  while (start + step < at.length && (at[start + step] ?? Infinity) < edge) step *= 2
  return lowerBound(at.subarray(0, Math.min(at.length, start + step + 1)), edge, start + (step >>> 1))
}

function accumulatorFor(name: Aggregation, kind: ValueKind, holding: Holding): Accumulator {
  const sumAccumulator = kind === 'integer' ? integerSumAccumulator : floatSumAccumulator
  const accumulators: { readonly [aggregation in Aggregation]: () => Accumulator } = {
    min: () => extremeAccumulator(1),
    max: () => extremeAccumulator(-1),
    avg: () => sumAccumulator('avg'),
    timeWeightedAvg: () => timeWeightedAccumulator(kind, holding),
    sum: () => sumAccumulator('sum'),
    count: countAccumulator,
    first: firstAccumulator,
    last: lastAccumulator,
    median: () => percentileAccumulator(kind, 50),
    p95: () => percentileAccumulator(kind, 95),
    delta: () => deltaAccumulator(holding.before),
    changes: () => changesAccumulator(holding.before),
  }
  return accumulators[name]()
}

/** Aggregates a series that is completely in memory. */
export function aggregate(columns: Columns, wanted: Omit<Aggregating, 'kind'>): Aggregated {
  const aggregator = new Aggregator({ ...wanted, kind: kindOf(columns.values) })
  aggregator.add(columns)
  return aggregator.finish()
}
