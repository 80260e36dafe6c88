import { cellAt, type Before, type Cell, type Columns, type Values } from '../chunks/point-columns.ts'
import type { Summary } from '../chunks/summary.ts'
import { ExactSum } from '../chunks/exact-sum.ts'
import { nearestQuotient } from './nearest-quotient.ts'

// An accumulator computes one figure for each bucket. `take` gets the points of the bucket in one or more parts, and
// `close` returns the figure and begins the next bucket.

export interface Accumulator {
  take(columns: Columns, start: number, end: number): void
  /** Takes the summary of points instead of the points; absent if a summary is not enough. */
  takeSummary?(summary: Summary): void
  /** `to` is the end of the bucket. */
  close(to: number): Cell
  /** The number of values of the bucket that are in memory; left out if their number does not matter. */
  readonly held?: number
}

type Numbers = Float64Array | BigInt64Array

interface CountAccumulator extends Accumulator {
  close(to: number): number
}

export function countAccumulator(): CountAccumulator {
  let count = 0
  return {
    take: (_, start, end) => void (count += end - start),
    takeSummary: (summary) => void (count += summary.count),
    close() {
      const cell = count
      count = 0
      return cell
    },
  }
}

/** `sign` is 1 for the smallest value and -1 for the largest one. */
export function extremeAccumulator(sign: 1 | -1): Accumulator {
  let best: Cell = null
  return {
    take({ values }, start, end) {
      if (start < end) best = extremeOf(values as Numbers, start, end, sign, best as number | bigint | null)
    },
    takeSummary(summary) {
      if (!('least' in summary)) return
      const { value } = sign === 1 ? summary.least : summary.most
      const known = (best ?? value) as number | bigint
      best = (sign === 1 ? value < known : value > known) ? value : known
    },
    close() {
      const cell = best
      best = null
      return cell
    },
  }
}

function extremeOf(values: Numbers, start: number, end: number, sign: 1 | -1, known: number | bigint | null): Cell {
  let best = known ?? (values[start] as number | bigint)
  for (let index = start; index < end; index++) {
    const value = values[index] as number | bigint
    if (sign === 1 ? value < best : value > best) best = value
  }
  return best
}

export function firstAccumulator(): Accumulator {
  let first: Cell = null
  return {
    take({ values }, start, end) {
      if (first === null && start < end) first = cellAt(values, start)
    },
    takeSummary: (summary) => void (first ??= summary.first.value),
    close() {
      const cell = first
      first = null
      return cell
    },
  }
}

export function lastAccumulator(): Accumulator {
  let last: Cell = null
  return {
    take({ values }, start, end) {
      if (start < end) last = cellAt(values, end - 1)
    },
    takeSummary: (summary) => void (last = summary.last.value),
    close() {
      const cell = last
      last = null
      return cell
    },
  }
}

type Statistic = 'sum' | 'avg'

export function floatSumAccumulator(statistic: Statistic): Accumulator {
  let sum = new ExactSum()
  let count = 0
  return {
    take({ values }, start, end) {
      count += end - start
      for (let index = start; index < end; index++) sum.add(values[index] as number)
    },
    takeSummary(summary) {
      if (summary.kind !== 'float') return
      count += summary.count
      for (const part of summary.sum) sum.add(part)
    },
    close() {
      const cell = count === 0 ? null : statistic === 'sum' ? sum.total() : sum.mean(count)
      sum = new ExactSum()
      count = 0
      return cell
    },
  }
}

/** Adds whole numbers exactly. Only the mean is rounded. */
export function integerSumAccumulator(statistic: Statistic): Accumulator {
  let sum = 0n
  let count = 0
  return {
    take({ values }, start, end) {
      count += end - start
      for (let index = start; index < end; index++) sum += values[index] as bigint
    },
    takeSummary(summary) {
      if (summary.kind !== 'integer') return
      count += summary.count
      sum += summary.sum
    },
    close() {
      const cell = count === 0 ? null : statistic === 'sum' ? sum : nearestQuotient(sum, BigInt(count))
      sum = 0n
      count = 0
      return cell
    },
  }
}

/**
 * Computes the difference between the bucket's last point and the last point before the bucket, so that the buckets of
 * a meter add up to its total. If there is no point before the bucket, its own first point is the base.
 */
export function deltaAccumulator(before: Before | undefined): Accumulator {
  let base = before?.value as number | bigint | undefined
  let last: number | bigint | undefined
  return {
    take({ values }, start, end) {
      if (start === end) return
      base ??= values[start] as number | bigint
      last = values[end - 1] as number | bigint
    },
    takeSummary(summary) {
      if (!('least' in summary)) return
      base ??= summary.first.value
      last = summary.last.value
    },
    close() {
      if (last === undefined) return null
      const cell = difference(last, base as number | bigint)
      base = last
      last = undefined
      return cell
    },
  }
}

function difference(last: number | bigint, base: number | bigint): Cell {
  if (typeof last === 'bigint') return last - BigInt(base)
  const moved = last - Number(base)
  return Number.isFinite(moved) ? moved : null
}

/** Counts how often the value changed. */
export function changesAccumulator(before: Before | undefined): Accumulator {
  let previous: Values[number] | undefined = before === undefined ? undefined : asStored(before.value)
  let changes = 0
  return {
    take({ values }, start, end) {
      for (let index = start; index < end; index++) {
        const value = values[index]
        if (previous !== undefined && value !== previous) changes++
        previous = value
      }
    },
    close() {
      const cell = changes
      changes = 0
      return cell
    },
  }
}

function asStored(value: Before['value']): Values[number] {
  return typeof value === 'boolean' ? Number(value) : value
}
