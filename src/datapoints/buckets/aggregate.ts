import { HoldfastError } from '../../lib/errors.ts'
import { kindOf, lowerBound, type Before, type Cell, type Columns } from '../chunks/columns.ts'
import type { Summary } from '../chunks/summary.ts'
import { percentileFold, timeWeightedFold, type Holding } from './folds-over-time.ts'
import {
  changesFold,
  countFold,
  deltaFold,
  extremeFold,
  firstFold,
  floatSumFold,
  integerSumFold,
  lastFold,
  type Fold,
} from './folds.ts'
import type { ValueKind } from '../rules/value.ts'

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

/**
 * The aggregations that each kind of value allows. For whole numbers, all but means and percentiles are whole and
 * exact.
 */
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

/** The aggregations that summaries of points are enough for. */
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

export interface Aggregating {
  readonly kind: ValueKind
  readonly edges: Float64Array
  readonly aggregations: readonly Aggregation[]
  /** The last point before the first edge. */
  readonly before?: Before | undefined
  /**
   * The time up to which the last value is taken to hold, since later values are unknown. Left out: until the last
   * edge.
   */
  readonly knownUntil?: number | undefined
}

/**
 * Aggregates a series that comes in parts, in order. It sees each point once, and the result does not depend on where
 * the parts are cut.
 */
export class Aggregator {
  readonly #edges: Float64Array
  readonly #folds: readonly (readonly [Aggregation, Fold, Cell[]])[]
  readonly #count = countFold()
  readonly #counts: number[] = []
  #bucket = 0

  constructor({ kind, edges, aggregations, before, knownUntil = Infinity }: Aggregating) {
    checkAggregations(kind, aggregations)
    this.#edges = edges
    const holding = { before, beginning: edges[0] ?? 0, knownUntil }
    this.#folds = [...new Set(aggregations)].map((name) => [name, foldFor(name, kind, holding), []])
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

  /** Adds points by their summary. They lie within one bucket. */
  addSummary(summary: Summary): void {
    this.#closeUntil(summary.first.at)
    this.#count.takeSummary?.(summary)
    for (const [name, fold] of this.#folds) {
      if (fold.takeSummary === undefined) throw new TypeError(`${name} cannot be made of summaries`)
      fold.takeSummary(summary)
    }
  }

  #take(columns: Columns, start: number, end: number): void {
    if (start === end) return
    this.#count.take(columns, start, end)
    for (const [, fold] of this.#folds) fold.take(columns, start, end)
  }

  #closeUntil(time: number): void {
    for (; this.#bucket < this.#edges.length - 1; this.#bucket++) {
      const end = this.#edges[this.#bucket + 1] ?? Infinity
      if (end > time) return
      this.#counts.push(this.#count.close(end))
      for (const [, fold, cells] of this.#folds) cells.push(fold.close(end))
    }
  }

  finish(): Aggregated {
    this.#closeUntil(Infinity)
    const cells = Object.fromEntries(this.#folds.map(([name, , column]) => [name, column]))
    return { edges: this.#edges, counts: this.#counts, cells }
  }
}

/**
 * Finds the end of a bucket by steps that double before it bisects, because a bucket is usually short compared to the
 * part.
 */
function nearbyLowerBound(at: Float64Array, edge: number, start: number): number {
  let step = 1
  while (start + step < at.length && (at[start + step] ?? Infinity) < edge) step *= 2
  return lowerBound(at.subarray(0, Math.min(at.length, start + step + 1)), edge, start + (step >>> 1))
}

function foldFor(name: Aggregation, kind: ValueKind, holding: Holding): Fold {
  const sumFold = kind === 'integer' ? integerSumFold : floatSumFold
  const folds: { readonly [aggregation in Aggregation]: () => Fold } = {
    min: () => extremeFold(1),
    max: () => extremeFold(-1),
    avg: () => sumFold('avg'),
    timeWeightedAvg: () => timeWeightedFold(holding),
    sum: () => sumFold('sum'),
    count: countFold,
    first: firstFold,
    last: lastFold,
    median: () => percentileFold(0.5),
    p95: () => percentileFold(0.95),
    delta: () => deltaFold(holding.before),
    changes: () => changesFold(holding.before),
  }
  return folds[name]()
}

/** Aggregates a series that is at hand as a whole. */
export function aggregate(columns: Columns, wanted: Omit<Aggregating, 'kind'>): Aggregated {
  const aggregator = new Aggregator({ ...wanted, kind: kindOf(columns.values) })
  aggregator.add(columns)
  return aggregator.finish()
}
