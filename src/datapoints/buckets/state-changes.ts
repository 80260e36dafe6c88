import { cellAt, type Before, type Cell, type Columns, charactersOfCell } from '../chunks/point-columns.ts'

/** A period in which a state held. */
export interface Run {
  readonly from: number
  /** The time when the next run begins, or the end of the range. */
  readonly to: number
  readonly value: Exclude<Cell, null>
  /** The number of points with this state; 0 if all of them are before the range. */
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

/** Collects the states of a series and their periods, up to the limit of runs. The points come in parts, in order. */
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

  /** The number of characters of the texts in memory, and of the memory of their states. */
  get characters(): number {
    return this.#stretches?.characters ?? this.#characters
  }

  /** Whether there were more changes than the limit allows, so that each run is the longest state of its stretch. */
  get isMerged(): boolean {
    return this.#stretches !== undefined
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
    // If the range begins with a change, the state before it has no time in the range.
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

type State = Exclude<Cell, null>

/** The time for which one state held in the open stretch, and the number of its points there. */
interface Held {
  readonly time: number
  readonly count: number
}

/** The memory that a state takes besides its text, in characters. A stretch may have millions of short texts. */
const OF_STATE = 64

/**
 * Shortens states that change more often than a chart can show. It splits the range into equal stretches, one for each
 * allowed run. Each stretch shows the state that held longest in it. If two states held equally long, it shows the
 * earlier one. Runs must follow each other without a gap.
 */
class StateStretches {
  readonly #from: number
  readonly #width: number
  readonly #limit: number
  readonly #runs: Run[] = []
  #stretch = 0
  #held = new Map<State, Held>()
  #begin: number | undefined
  #characters = { shown: 0, held: 0 }

  constructor({ from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number }) {
    this.#from = from
    this.#width = (to - from) / limit
    this.#limit = limit
  }

  /** Adds a run. All its points count for the stretch in which it begins. */
  add(run: Run): void {
    let { from, count } = run
    for (; from < run.to; count = 0) {
      this.#moveTo(Math.min(this.#limit - 1, Math.floor((from - this.#from) / this.#width)), from)
      const end = Math.min(run.to, this.#endAfter(from))
      const held = this.#held.get(run.value) ?? this.#newState(run.value)
      this.#held.set(run.value, { time: held.time + end - from, count: held.count + count })
      from = end
    }
  }

  #newState(value: State): Held {
    this.#characters.held += charactersOfCell(value) + OF_STATE
    return { time: 0, count: 0 }
  }

  /** The number of characters of the texts in memory, and of the memory of their states. */
  get characters(): number {
    return this.#characters.shown + this.#characters.held
  }

  finish(to: number): Run[] {
    this.#close(to)
    return this.#runs
  }

  /** Returns the end of the open stretch. It is later than `from`, even if the stretch's quotient was rounded. */
  #endAfter(from: number): number {
    if (this.#stretch === this.#limit - 1) return Infinity
    return Math.max(from + 1, Math.ceil(this.#from + (this.#stretch + 1) * this.#width))
  }

  #moveTo(stretch: number, at: number): void {
    if (stretch === this.#stretch && this.#begin !== undefined) return
    this.#close(at)
    this.#stretch = stretch
    this.#begin = at
  }

  #close(to: number): void {
    if (this.#begin === undefined || this.#held.size === 0) return
    const [value, count] = this.#longest()
    const last = this.#runs.at(-1)
    if (last?.value === value) this.#runs[this.#runs.length - 1] = { ...last, to, count: last.count + count }
    else {
      this.#runs.push({ from: this.#begin, to, value, count })
      this.#characters.shown += charactersOfCell(value)
    }
    this.#held = new Map()
    this.#characters.held = 0
    this.#begin = undefined
  }

  /** Returns the state that held longest, and the number of all points of the stretch. */
  #longest(): readonly [State, number] {
    let [longest, points]: [readonly [State, Held] | undefined, number] = [undefined, 0]
    for (const entry of this.#held) {
      points += entry[1].count
      if (longest === undefined || entry[1].time > longest[1].time) longest = entry
    }
    if (longest === undefined) throw new Error('a stretch without a run was closed')
    return [longest[0], points]
  }
}
