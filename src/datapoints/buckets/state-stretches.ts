import { type Cell, charactersOfCell } from '../chunks/columns.ts'
import type { Run } from './state-run.ts'

type State = Exclude<Cell, null>

/** How long one state held in the open stretch, and by how many points. */
interface Held {
  readonly time: number
  readonly count: number
}

/**
 * Shortens states that change more often than a chart can show. The range is split into as many equal stretches as
 * runs are allowed, and each stretch shows the state that held longest in it, the earlier of two where both held
 * equally long. Runs must follow each other without a gap.
 */
export class StateStretches {
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
    this.#characters.held += charactersOfCell(value)
    return { time: 0, count: 0 }
  }

  /** The characters of the texts that are in memory. */
  get characters(): number {
    return this.#characters.shown + this.#characters.held
  }

  finish(to: number): Run[] {
    this.#close(to)
    return this.#runs
  }

  /**
   * The end of the open stretch. It is always later than `from`, even where the quotient that found the stretch was
   * rounded.
   */
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

  /** The state that held longest, with the number of all points of the stretch. */
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
