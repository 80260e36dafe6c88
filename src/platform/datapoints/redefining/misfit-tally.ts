import { hasErased } from '../../../datapoints/chunks/erased.ts'
import { cellAt, fromOn, type Columns } from '../../../datapoints/chunks/point-columns.ts'
import { decodeSummaries } from '../../../datapoints/chunks/summaries.ts'
import { summarize } from '../../../datapoints/chunks/summary.ts'
import { isMisfit, misfitShare, type Redefinition, type Share } from '../../../datapoints/chunks/misfits.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import type { StoredExample } from '../../../plan/plan.ts'
import type { Misfits } from '../../../plan/guards/stored-data.ts'
import { shownCell } from '../reading/shown-cell.ts'
import type { SeriesOrigin, StoredChunkOf } from '../../../store/datapoints/points/stored-values.ts'
import type { StoredPart } from '../parts/stored-parts.ts'

/** The number of examples that are shown. */
const EXAMPLES = 3
const LONGEST_VALUE = 60

/** The redefinition of a characteristic, given by its key. */
export interface Redefined {
  readonly key: string
  readonly redefinition: Redefinition
  /** Whether the redefinition may refuse a value that was valid before. Otherwise points are only counted. */
  readonly mayRefuse: boolean
}

type Part = StoredPart<SeriesOrigin, StoredChunkOf>

/** Points of one series, each time once. */
interface PointsOf {
  readonly origin: SeriesOrigin
  readonly columns: Columns
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
  readonly #mayRefuse: boolean
  readonly #isForAll: boolean

  /** With `isForAll`, valid points are counted too. */
  constructor({ redefinition, mayRefuse }: Omit<Redefined, 'key'>, isForAll: boolean) {
    this.#redefinition = redefinition
    this.#mayRefuse = mayRefuse
    this.#isForAll = isForAll
  }

  /** The number of checked points, and of their systems. */
  get seen(): Pick<Misfits, 'points' | 'systems'> {
    return { points: this.#seen, systems: this.#seenSystems.size }
  }

  get isEmpty(): boolean {
    return this.#points === 0
  }

  /**
   * Counts the points of a part from a time on without reading them, if the summaries allow that. Otherwise it returns
   * what to read: each value (`unknown`), or only the times, because all or none of the points are misfits.
   */
  countKnown(part: Part, earliest: number): Share | null {
    const { origin, chunks, others } = part
    const share = this.#shareOf(part)
    if (share === 'none' && !this.#isForAll) return null
    if (hasErased(origin.erased) || share === 'unknown' || (share === 'all' && !this.#hasEarlierExamples(part)))
      return 'unknown'
    const [chunk, other] = chunks
    if (chunk === undefined) this.count(origin, fromOn(others?.at ?? new Float64Array(), earliest).length, share)
    else if (other === undefined && others === null && chunk.t0 >= earliest) this.count(origin, chunk.count, share)
    else return share
    return null
  }

  /** Counts points of which all or none are misfits. */
  count(origin: SeriesOrigin, points: number, share: Exclude<Share, 'unknown'>): void {
    if (points === 0) return
    this.#see(origin, points)
    if (share === 'none') return
    this.#points += points
    this.#systems.add(origin.systemUuid)
  }

  /** Counts the misfits among these points, from `start` to `end`. */
  add(stored: PointsOf, start: number, end: number): void {
    this.#see(stored.origin, end - start)
    for (let index = start; index < end; index++) {
      if (!isMisfit(this.#redefinition, stored.columns.values, index)) continue
      this.#points += 1
      this.#systems.add(stored.origin.systemUuid)
      this.#remember(stored, index)
    }
  }

  /** The share of misfits as far as summaries tell it. Overwritten points count as well. */
  #shareOf({ origin: { kind }, chunks, others }: Part): Share {
    if (!this.#mayRefuse) return 'none'
    if (this.#redefinition.after.judgeRange === undefined) return 'unknown'
    const ofChunks = chunks.flatMap(({ summary }) => decodeSummaries(summary, kind))
    return misfitShare(this.#redefinition, others === null ? ofChunks : [...ofChunks, summarize(others, kind)])
  }

  /** Whether no point of the part can become an example, since earlier ones exist. */
  #hasEarlierExamples({ chunks: [chunk], others }: Part): boolean {
    const last = this.#examples[EXAMPLES - 1]
    return last !== undefined && last.at <= Math.min(chunk?.t0 ?? Infinity, others?.at[0] ?? Infinity)
  }

  finish(isIncomplete: boolean): Misfits {
    const examples = this.#examples.map(({ shown }) => shown)
    return { points: this.#points, systems: this.#systems.size, isIncomplete, examples }
  }

  #see({ systemUuid }: SeriesOrigin, points: number): void {
    this.#seen += points
    this.#seenSystems.add(systemUuid)
  }

  #remember({ origin, columns }: PointsOf, index: number): void {
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
