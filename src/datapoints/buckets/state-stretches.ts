import type { Cell } from '../chunks/columns.ts'
import type { Run } from './state-run.ts'

type State = Exclude<Cell, null>

/** What is known of a stretch of the range while its runs arrive. */
interface Held {
  readonly time: number
  readonly count: number
}

/**
 * States that change more often than a chart can show: the range in as many equal stretches, each of which shows the state
 * that held longest in it, of two the one that came first. Runs must follow each other without a gap.
 */
export class StateStretches {
  readonly #from: number
  readonly #width: number
  readonly #limit: number
  readonly #runs: Run[] = []
  #stretch = 0
  #held = new Map<State, Held>()
  #begin: number | undefined

  constructor({ from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number }) {
    this.#from = from
    this.#width = (to - from) / limit
    this.#limit = limit
  }

  /** All points of a run count where it begins. */
  add(run: Run): void {
    let { from, count } = run
    for (; from < run.to; count = 0) {
      this.#moveTo(Math.min(this.#limit - 1, Math.floor((from - this.#from) / this.#width)), from)
      const end = Math.min(run.to, this.#endAfter(from))
      const held = this.#held.get(run.value) ?? { time: 0, count: 0 }
      this.#held.set(run.value, { time: held.time + end - from, count: held.count + count })
      from = end
    }
  }

  finish(to: number): Run[] {
    this.#close(to)
    return this.#runs
  }

  /** Of the stretch that is open. The quotient that found it may have been rounded: it ends later than `from` anyway. */
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
    else this.#runs.push({ from: this.#begin, to, value, count })
    this.#held = new Map()
    this.#begin = undefined
  }

  /** With the number of all points of the stretch. */
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
