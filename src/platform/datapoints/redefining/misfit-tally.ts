import { cellAt, type Columns } from '../../../datapoints/chunks/columns.ts'
import { decodeSummaries } from '../../../datapoints/chunks/summaries.ts'
import { isMisfit, misfitShare, type Redefinition } from '../../../datapoints/rules/misfits.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import type { StoredExample } from '../../../plan/plan.ts'
import type { Misfits } from '../../../plan/guards/stored-data.ts'
import { shownCell } from '../reading/shown-cell.ts'
import type { SeriesOrigin } from '../../../store/datapoints/points/stored-values.ts'
import type { StoredPart } from './stored-parts.ts'

/** The number of examples that are shown. */
const EXAMPLES = 3
const LONGEST_VALUE = 60

/** Points of one series, each time once. Those before the index `since` are not kept any more. */
export interface DecodedPart {
  readonly origin: SeriesOrigin
  readonly columns: Columns
  readonly since: number
}

/** The values of one characteristic that would no longer fit. */
export class MisfitTally {
  readonly #redefinition: Redefinition
  readonly #systems = new Set<string>()
  /** The earliest of the misfits. */
  #examples: { readonly at: number; readonly shown: StoredExample }[] = []
  #points = 0
  readonly #seenSystems = new Set<string>()
  #seen = 0
  readonly #isForAll: boolean

  /** With `isForAll`, points that fit are counted too. */
  constructor(redefinition: Redefinition, isForAll: boolean) {
    this.#redefinition = redefinition
    this.#isForAll = isForAll
  }

  /** The number of points that were looked at, and of their systems. */
  get seen(): Pick<Misfits, 'points' | 'systems'> {
    return { points: this.#seen, systems: this.#seenSystems.size }
  }

  get isEmpty(): boolean {
    return this.#points === 0
  }

  /**
   * Counts the misfits of a part by its summaries, from a time on. The result is false where they do not say enough, or
   * where one of the misfits would be an example.
   */
  countSummed({ origin, kind, chunks, others }: StoredPart, earliest: number): boolean {
    if (others !== null || this.#redefinition.after.judgeRange === undefined) return false
    const share = misfitShare(
      this.#redefinition,
      chunks.flatMap(({ summary }) => decodeSummaries(summary, kind)),
    )
    if (share === 'none' && !this.#isForAll) return true
    const [chunk, other] = chunks
    if (share === 'unknown' || chunk === undefined || other !== undefined || chunk.t0 < earliest) return false
    if (share === 'none') {
      this.#see(origin, chunk.count)
      return true
    }
    const last = this.#examples[EXAMPLES - 1]
    if (last === undefined || last.at > chunk.t0) return false
    this.#see(origin, chunk.count)
    this.#points += chunk.count
    this.#systems.add(origin.systemUuid)
    return true
  }

  /** Counts the misfits among these points, from `start` to `end`. */
  add(stored: DecodedPart, start: number, end: number): void {
    this.#see(stored.origin, end - start)
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

  #see({ systemUuid }: SeriesOrigin, points: number): void {
    this.#seen += points
    this.#seenSystems.add(systemUuid)
  }

  #remember({ origin, columns }: DecodedPart, index: number): void {
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
