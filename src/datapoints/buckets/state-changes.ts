import { cellAt, type Before, type Cell, type Columns, charactersOfCell } from '../chunks/columns.ts'
import type { Run } from './state-run.ts'
import { StateStretches } from './state-stretches.ts'

export type { Run } from './state-run.ts'

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

/**
 * Collects the states of a series, and the times in which they held, from points that come in parts, in order. It
 * never returns more runs than the limit.
 */
export class StateChanges {
  readonly #range: RunRange
  #runs: Run[] = []
  /** Set once there are more changes than the limit allows. */
  #stretches: StateStretches | undefined
  #open: OpenRun | undefined
  #characters = 0

  constructor(range: RunRange) {
    this.#range = range
    if (range.before !== undefined) this.#open = { from: range.from, value: range.before.value, count: 0 }
  }

  /** The characters of the texts that are in memory. */
  get characters(): number {
    return this.#stretches?.characters ?? this.#characters
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
    // A state from before the range held for no time at all where the range begins with a change.
    if (this.#open === undefined || this.#open.from === to) return
    const run = { ...this.#open, to }
    if (this.#stretches === undefined && this.#runs.length === this.#range.limit) this.#merge()
    if (this.#stretches === undefined) {
      this.#runs.push(run)
      this.#characters += charactersOfCell(run.value)
    } else this.#stretches.add(run)
  }

  #merge(): void {
    this.#stretches = new StateStretches(this.#range)
    for (const run of this.#runs) this.#stretches.add(run)
    this.#runs = []
  }

  finish(): Run[] {
    this.#close(this.#range.to)
    this.#open = undefined
    return this.#stretches?.finish(this.#range.to) ?? this.#runs
  }
}
