import { layoutOf, TIMESTAMP, UUID_LENGTH, VALUE, type JsonLayout } from '../../../datapoints/wire/json-layout.ts'
import { JsonScanner } from '../../../datapoints/wire/json-scanner.ts'
import { newPoints } from '../../../datapoints/chunks/flush.ts'
import { isViolation } from '../../../records/values/violation.ts'
import { isUuid } from '../../../lib/uuid.ts'
import { WorkBudget } from '../../../records/value-schema/work-budget.ts'
import { reaches } from '../../systems/reach.ts'
import { BatchTimes } from './batch-times.ts'
import { keyText, setPoint, type BatchOptions, type PointKey, type ReadPoints } from './check-batch.ts'
import type { ReportedSetting } from './reported-settings.ts'
import type { DomainSeries } from '../series/series-cache.ts'
import type { SeriesEntry } from '../series/series-entry.ts'

/** The bytes of a batch in JSON. */
export interface JsonBody {
  readonly bytes: Uint8Array
  /** The maximum number of points that the batch may have. */
  readonly most: number
}

const MOST_LAYOUTS = 8

/** The result for a familiar batch. If keys are missing, look them up and read the batch again. */
interface FamiliarPoints extends ReadPoints {
  readonly missing: ReadonlyMap<string, PointKey>
}

/**
 * Checks familiar batches: the elements have the layout of an earlier batch, and are valid as far as their series are
 * known. It reads them in place, without making objects (docs/decisions/0032 has the gain).
 */
export class FamiliarBatches {
  #layouts: readonly JsonLayout[] = []

  /** Null for any other batch. It never refuses a point, because `checkBatch` reports the errors. */
  read(body: JsonBody, series: DomainSeries, options: BatchOptions): FamiliarPoints | null {
    for (const layout of this.#layouts) {
      const points = new FamiliarReader(body, layout, series, options).read()
      if (points !== null) return points
    }
    return null
  }

  /** Remembers the layout of a valid batch, so that later batches with the same layout are familiar. */
  learn({ bytes }: JsonBody, elements: readonly unknown[]): void {
    const layout = layoutOf(bytes, elements[0])
    if (layout === null) return
    const others = this.#layouts.filter(({ id }) => id !== layout.id)
    this.#layouts = [layout, ...others.slice(0, MOST_LAYOUTS - 1)]
  }
}

class FamiliarReader {
  readonly #most: number
  readonly #scanner: JsonScanner
  readonly #layout: JsonLayout
  readonly #series: DomainSeries
  readonly #options: BatchOptions
  readonly #budget = new WorkBudget()
  /** The uuids of the element that is being read, in the order of UUID_FIELDS. */
  readonly #uuids: [string, string, string, string] = ['', '', '', '']
  /** The series of these uuids, if it is known. */
  #entry: SeriesEntry | undefined
  readonly #missing = new Map<string, PointKey>()
  #value: number | boolean | string | undefined
  #at = Number.NaN
  readonly #times: BatchTimes
  readonly #hasTimestamps: boolean

  constructor({ bytes, most }: JsonBody, layout: JsonLayout, series: DomainSeries, options: BatchOptions) {
    this.#scanner = new JsonScanner(bytes, options.limits)
    this.#most = Math.min(most, Math.ceil(bytes.length / layout.shortest))
    this.#layout = layout
    this.#series = series
    this.#options = options
    this.#times = new BatchTimes(options.arrival, options.later)
    this.#hasTimestamps = layout.variables.includes(TIMESTAMP)
  }

  read(): FamiliarPoints | null {
    const scanner = this.#scanner
    if (!scanner.skipText('[')) return null
    const points = newPoints(this.#most)
    const settings: ReportedSetting[] = []
    let [elements, count] = [0, 0]
    let last: SeriesEntry | undefined
    do {
      if (elements === this.#most || !this.#readElement(last)) return null
      elements += 1
      const entry = (last = this.#entry)
      if (entry === undefined) {
        if (!this.#noteMissing()) return null
        continue
      }
      if (!this.#hasTimestamps) this.#at = this.#times.arrivalOf(entry)
      if (!this.#isAllowed(entry)) return null
      const value = entry.pair.rules.accept(this.#value, this.#budget)
      if (isViolation(value)) return null
      setPoint(points, count, { entry, at: this.#at, value })
      this.#times.note(entry, this.#at)
      if (entry.pair.isSetting) settings.push({ entry, at: this.#at, value })
      count += 1
    } while (scanner.skipText(this.#layout.comma))
    if (!scanner.skipText(']') || !scanner.isAtEnd) return null
    return { points: { ...points, count }, settings, times: this.#times, missing: this.#missing }
  }

  /** Notes a key that must be looked up. Returns false if the key was refused, or cannot be one of the sender's. */
  #noteMissing(): boolean {
    const { bounds, refused } = this.#options
    const [characteristic, component, service, system] = this.#uuids
    const key = { system, component, service, characteristic }
    const text = keyText(key)
    const isOther = (bounds?.systemUuid ?? system) !== system
    if (isOther || refused.has(text) || !this.#uuids.every(isUuid)) return false
    this.#missing.set(text, key)
    return true
  }

  #isAllowed(entry: SeriesEntry): boolean {
    const { bounds } = this.#options
    return (bounds === null || reaches(bounds, entry)) && this.#at >= entry.pair.kept.earliest
  }

  #readElement(last: SeriesEntry | undefined): boolean {
    const start = this.#scanner.at
    const guess = last?.usuallyNext
    this.#entry = guess
    if (guess !== undefined && !guess.isGone && this.#readFields(guess)) return true
    this.#scanner.at = start
    if (!this.#readFields(undefined)) return false
    const [characteristic, component, service, system] = this.#uuids
    this.#entry = this.#series.findAfter(last, component, characteristic, service, system)
    return true
  }

  /** Reads the fields of one element. If `guess` is given, the element must have the uuids of that series. */
  #readFields(guess: SeriesEntry | undefined): boolean {
    const scanner = this.#scanner
    const { literals, variables, end } = this.#layout
    for (let index = 0; index < variables.length; index++) {
      const literal = literals[index]
      const variable = variables[index]
      if (literal === undefined || variable === undefined || !scanner.skip(literal)) return false
      if (variable === VALUE) {
        this.#value = scanner.readValue()
        if (this.#value === undefined) return false
      } else if (variable === TIMESTAMP) {
        const at = scanner.readTime()
        if (at === undefined) return false
        this.#at = at
      } else if (guess === undefined) this.#uuids[variable] = scanner.take(UUID_LENGTH)
      else if (!scanner.skip(guess.writtenAt(variable))) return false
    }
    return scanner.skipText(end)
  }
}
