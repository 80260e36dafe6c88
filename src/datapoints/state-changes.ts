import { HoldfastError } from '../lib/errors.ts'
import { cellAt, type Before, type Cell, type Columns } from './columns.ts'

/** A time in which a state held. */
export interface Run {
  readonly from: number
  /** Where the next one begins, or the range ends. */
  readonly to: number
  readonly value: Exclude<Cell, null>
  /** How many points say so. None: it was reported before the range. */
  readonly count: number
}

interface OpenRun {
  from: number
  value: Exclude<Cell, null>
  count: number
}

export interface RunRange {
  readonly from: number
  readonly to: number
  /** The last point before the range. */
  readonly before?: Before | undefined
  readonly limit: number
}

/** Takes the points of a series in parts, in order, and keeps what they say and since when. */
export class StateChanges {
  readonly #range: RunRange
  readonly #runs: Run[] = []
  #open: OpenRun | undefined

  constructor(range: RunRange) {
    this.#range = range
    if (range.before !== undefined) this.#open = { from: range.from, value: range.before.value, count: 0 }
  }

  add({ at, values }: Columns): void {
    for (let index = 0; index < at.length; index++) this.#take(at[index] ?? 0, cellAt(values, index))
  }

  #take(time: number, value: Exclude<Cell, null>): void {
    if (this.#open?.value === value) {
      this.#open.count++
      return
    }
    this.#close(time)
    this.#open = { from: time, value, count: 1 }
  }

  #close(to: number): void {
    // Where the range begins with a change, the state before it held for no time at all.
    if (this.#open === undefined || this.#open.from === to) return
    if (this.#runs.length >= this.#range.limit) throw tooMany(this.#range.limit)
    this.#runs.push({ ...this.#open, to })
  }

  finish(): Run[] {
    this.#close(this.#range.to)
    this.#open = undefined
    return this.#runs
  }
}

function tooMany(limit: number): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `the state changes more than ${limit.toLocaleString('en-US')} times in this range: take a shorter range, or an interval with the aggregations changes and, for a boolean, timeWeightedAvg`,
  )
}
