import { entriesOf } from '../../lib/entries.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Aggregated, Aggregation } from './aggregate.ts'
import type { Before, Cell } from '../chunks/point-columns.ts'

/** Ways to fill an empty bucket: leave it out, null, the previous figure, or the line between its neighbours. */
export const FILLS = ['none', 'null', 'previous', 'linear'] as const
export type Fill = (typeof FILLS)[number]

/** Amounts apply only to the time of their bucket, so they are never copied from another bucket. */
const AMOUNTS: readonly Aggregation[] = ['count', 'sum', 'delta', 'changes']

export interface Bucket {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly cells: { readonly [aggregation in Aggregation]?: Cell }
}

/**
 * Fills the buckets without figures. `before` is the last point before the first bucket. Buckets before the first
 * figure stay null. With `linear`, so do those after the last figure.
 */
export function fillBuckets(aggregated: Aggregated, fill: Fill, before?: Before): Bucket[] {
  const columns = entriesOf(aggregated.cells).map(
    ([name, cells]) => [name, filled(name, cells, aggregated.edges, fill, before)] as const,
  )
  const buckets = aggregated.counts.map((count, index) => ({
    from: aggregated.edges[index] ?? 0,
    to: aggregated.edges[index + 1] ?? 0,
    count,
    cells: Object.fromEntries(columns.map(([name, cells]) => [name, cells[index] ?? null])),
  }))
  return fill === 'none' ? buckets.filter(hasFigure) : buckets
}

/** Tells whether a bucket has a figure. Without points it has a time-weighted average if a value still holds. */
function hasFigure({ count, cells }: Bucket): boolean {
  return count > 0 || (cells.timeWeightedAvg ?? null) !== null
}

function filled(
  name: Aggregation,
  cells: readonly Cell[],
  edges: Float64Array,
  fill: Fill,
  before: Before | undefined,
): readonly Cell[] {
  if (fill === 'none' || fill === 'null' || AMOUNTS.includes(name)) return cells
  return fill === 'previous' ? takeOver(cells, heldBefore(name, before)) : interpolate(name, cells, edges)
}

/** Returns the figure before the first bucket. The time-weighted average of a boolean is a number. */
function heldBefore(name: Aggregation, before: Before | undefined): Cell {
  const value = before?.value ?? null
  return name === 'timeWeightedAvg' && typeof value === 'boolean' ? Number(value) : value
}

function takeOver(cells: readonly Cell[], before: Cell): Cell[] {
  let previous = before
  return cells.map((cell) => (previous = cell ?? previous))
}

/** Interpolates between the beginnings of the neighbouring buckets. Between whole numbers, it may be a fraction. */
function interpolate(name: Aggregation, cells: readonly Cell[], edges: Float64Array): Cell[] {
  const line = [...cells]
  let left = -1
  for (let right = 0; right < cells.length; right++) {
    if (cells[right] === null) continue
    if (left >= 0)
      for (let index = left + 1; index < right; index++) line[index] = between(name, cells, edges, [left, index, right])
    left = right
  }
  return line
}

function between(
  name: Aggregation,
  cells: readonly Cell[],
  edges: Float64Array,
  indexes: readonly [number, number, number],
): number {
  const [start, middle, end] = [edges[indexes[0]]!, edges[indexes[1]]!, edges[indexes[2]]!]
  const share = (middle - start) / (end - start)
  return numberOf(name, cells[indexes[0]]) * (1 - share) + numberOf(name, cells[indexes[2]]) * share
}

function numberOf(name: Aggregation, cell: Cell | undefined): number {
  if (typeof cell === 'number' || typeof cell === 'bigint') return Number(cell)
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `the values of ${name} are not numbers, so linear cannot fill them: use previous, null or none`,
  )
}
