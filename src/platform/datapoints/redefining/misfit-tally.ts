import { cellAt } from '../../../datapoints/chunks/columns.ts'
import { isMisfit, type Redefinition } from '../../../datapoints/rules/misfits.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import type { StoredExample } from '../../../plan/plan.ts'
import type { Misfits } from '../../../plan/guards/stored-data.ts'
import { shownCell } from '../reading/shown-cell.ts'
import type { StoredPart } from './stored-parts.ts'

/** The number of examples that are shown. */
const EXAMPLES = 3
const LONGEST_VALUE = 60

/** The values of one characteristic that would no longer fit. */
export class MisfitTally {
  readonly #redefinition: Redefinition
  readonly #systems = new Set<string>()
  /** The earliest of the misfits. */
  #examples: { readonly at: number; readonly shown: StoredExample }[] = []
  #points = 0

  constructor(redefinition: Redefinition) {
    this.#redefinition = redefinition
  }

  get isEmpty(): boolean {
    return this.#points === 0
  }

  /** Counts the misfits among these points, from `start` to `end`. */
  add(stored: StoredPart, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      if (!isMisfit(this.#redefinition, stored.columns.values, index)) continue
      this.#points += 1
      this.#systems.add(stored.origin.systemUuid)
      this.#remember(stored, index)
    }
  }

  finish(isIncomplete: boolean): Misfits {
    const examples = this.#examples.map(({ shown }) => shown)
    return { points: this.#points, systems: this.#systems.size, isIncomplete, examples }
  }

  #remember({ origin, columns }: StoredPart, index: number): void {
    const at = columns.at[index] ?? 0
    const last = this.#examples[EXAMPLES - 1]
    if (last !== undefined && last.at <= at) return
    const value = shortened(JSON.stringify(shownCell(cellAt(columns.values, index), this.#redefinition.before)))
    const shown = { at: timestampText(at), value, system: origin.systemUuid, component: origin.componentUuid }
    this.#examples = [...this.#examples, { at, shown }].sort((a, b) => a.at - b.at).slice(0, EXAMPLES)
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1).toWellFormed()}…`
}
