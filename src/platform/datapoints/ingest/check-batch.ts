import { newPoints, type PointColumns } from '../../../datapoints/chunks/flush.ts'
import { elementProblem, hasOtherFields, type Element } from '../../../datapoints/wire/element.ts'
import { readTimestamp, tooOld, type TimestampLimits } from '../../../datapoints/wire/timestamp.ts'
import { isViolation } from '../../../records/values/violation.ts'
import { WorkBudget } from '../../../records/value-schema/work-budget.ts'
import { reaches, type Reach } from '../../systems/reach.ts'
import type { BatchError } from './batch-error.ts'
import { BatchTimes } from './batch-times.ts'
import { ofNoSeries, PointErrors, seriesOf, type RefusedOf } from '../refused/point-errors.ts'
import type { ReportedSetting } from './reported-settings.ts'
import type { DomainSeries } from '../series/series-cache.ts'
import type { SeriesEntry } from '../series/series-entry.ts'

/** The four uuids of a point, in lower case. */
export interface PointKey {
  readonly system: string
  readonly component: string
  readonly service: string
  readonly characteristic: string
}

/** The reason why points with this key are refused. */
export interface KeyRefusal extends Pick<BatchError, 'code' | 'detail'> {
  readonly field: keyof typeof FIELDS | null
}

export interface BatchOptions {
  /** The first time for points without a timestamp, in microseconds since 1970; NaN if no time is reserved yet. */
  readonly arrival: number
  /** By series id, the last time of each series that may have got later times than `arrival`. */
  readonly later?: ReadonlyMap<number, number> | undefined
  readonly limits: TimestampLimits
  /** The systems that the sender may write to; null for all. */
  readonly bounds: Reach | null
  /** The keys that were looked up and refused, by `keyText`. */
  readonly refused: ReadonlyMap<string, KeyRefusal>
}

export interface ReadPoints {
  readonly points: PointColumns
  /** The points that may confirm setpoints. */
  readonly settings: readonly ReportedSetting[]
  readonly times: BatchTimes
}

export interface CheckedElements extends ReadPoints {
  readonly errors: PointErrors
  /** Unknown keys. The caller must look them up and read the batch again. */
  readonly missing: ReadonlyMap<string, PointKey>
  /** The index of the element of each point, by the index of the point; left out if they are equal. */
  readonly indices: ReadonlyMap<number, number>
}

export const FIELDS = {
  system: 'system_uuid',
  component: 'component_uuid',
  service: 'service_uuid',
  characteristic: 'characteristic_uuid',
} as const

export function keyText({ system, component, service, characteristic }: PointKey): string {
  return `${system} ${component} ${service} ${characteristic}`
}

/** Checks a batch and turns it into columns. This loop is the main cost of ingest, so valid points allocate nothing. */
export function checkBatch(elements: readonly unknown[], series: DomainSeries, options: BatchOptions): CheckedElements {
  const { arrival, later, limits, bounds } = options
  const points = newPoints(elements.length)
  const slow = new SlowPath(series, options)
  const { errors } = slow
  const times = new BatchTimes(arrival, later)
  const budget = new WorkBudget()
  let count = 0
  let last: SeriesEntry | undefined
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] as Element | null | undefined
    const entry =
      series.findAfter(
        last,
        element?.component_uuid,
        element?.characteristic_uuid,
        element?.service_uuid,
        element?.system_uuid,
      ) ?? slow.find(element, index)
    if (entry === undefined || element === null || element === undefined) continue
    last = entry
    if (bounds !== null && !reaches(bounds, entry)) {
      slow.refuse(entry, index)
      continue
    }
    const timestamp = element.timestamp
    const at = timestamp === undefined ? times.arrivalOf(entry) : readTimestamp(timestamp, limits)
    if (typeof at === 'object') {
      errors.refuse(index, 'timestamp', at, entry)
      continue
    }
    if (at < entry.pair.kept.earliest) {
      errors.refuse(index, 'timestamp', tooOld(entry.pair.kept.earliest), entry)
      continue
    }
    if (hasOtherFields(element) && !slow.isWhole(element, index, entry)) continue
    const value = entry.pair.rules.accept(element.value, budget)
    if (isViolation(value)) {
      errors.refuse(index, 'value', value, entry)
      continue
    }
    setPoint(points, count, { entry, at, value })
    times.note(entry, at)
    if (count !== index) slow.indices.set(count, index)
    if (entry.pair.isSetting) slow.settings.push({ entry, at, value })
    count += 1
  }
  const { settings, missing, indices } = slow
  return { points: { ...points, count }, times, errors, settings, missing, indices }
}

export function setPoint(
  points: ReturnType<typeof newPoints>,
  index: number,
  { entry, at, value }: ReportedSetting,
): void {
  points.series[index] = entry.id
  points.at[index] = at
  points.kinds[index] = entry.pair.kind
  if (typeof value === 'number') points.values[index] = value
  else if (typeof value === 'boolean') points.values[index] = value ? 1 : 0
  else points.others.set(index, value)
}

export function unknownComponent({ component }: Pick<PointKey, 'component'>): KeyRefusal {
  return { field: 'component', code: 'unknown-component', detail: `there is no component ${component}` }
}

export const NOT_ALLOWED = { code: 'not-allowed', detail: 'this account is bound to another system' } as const

/** Handles points whose uuids match no known series literally: wrong points, new series, and uuids in capitals. */
class SlowPath {
  readonly errors = new PointErrors()
  readonly missing = new Map<string, PointKey>()
  readonly settings: ReportedSetting[] = []
  readonly indices = new Map<number, number>()
  readonly #series: DomainSeries
  readonly #options: BatchOptions

  constructor(series: DomainSeries, options: BatchOptions) {
    this.#series = series
    this.#options = options
  }

  find(element: unknown, index: number): SeriesEntry | undefined {
    if (!this.isWhole(element, index)) return undefined
    const key = keyOf(element)
    const { refused } = this.#options
    if (this.#own !== null && key.system !== this.#own) {
      this.errors.refuse(index, FIELDS.system, NOT_ALLOWED, namedBy(key, this.#own))
      return undefined
    }
    const entry = this.#series.find(key.component, key.characteristic, key.service, key.system)
    if (entry !== undefined) return entry
    const text = keyText(key)
    const refusal = refused.get(text)
    if (refusal === undefined) this.missing.set(text, key)
    else {
      const field = refusal.field === null ? null : FIELDS[refusal.field]
      this.errors.refuse(index, field, refusal, namedBy(key, tellsOfSystem(refusal) ? key.system : this.#own))
    }
    return undefined
  }

  /**
   * Refuses a system that the sender may not write to. A device learns that the system is another one. For an account
   * that is bound to units, the system does not exist.
   */
  refuse(entry: SeriesEntry, index: number): void {
    const of = seriesOf(entry, this.#own)
    if (this.#own !== null && this.#own !== entry.systemUuid) this.errors.refuse(index, FIELDS.system, NOT_ALLOWED, of)
    else this.errors.refuse(index, FIELDS.component, unknownComponent({ component: entry.componentUuid }), of)
  }

  /** `of`: the series, if it is known. */
  isWhole(element: unknown, index: number, of: RefusedOf = ofNoSeries(this.#own)): element is Element {
    const problem = elementProblem(element)
    if (problem !== null) this.errors.refuse(index, problem.field, problem.violation, of)
    return problem === null
  }

  /** The system that the sender is bound to. */
  get #own(): string | null {
    return this.#options.bounds?.systemUuid ?? null
  }
}

/** Whether the error tells that the system has the component. If not, its users do not see the refusal. */
function tellsOfSystem({ code }: KeyRefusal): boolean {
  return code !== 'unknown-component' && code !== 'unknown-system'
}

function namedBy({ component, service, characteristic }: PointKey, systemUuid: string | null): RefusedOf {
  return { systemUuid, componentUuid: component, serviceUuid: service, characteristicUuid: characteristic }
}

export function keyOf(element: Element): PointKey {
  return {
    system: element.system_uuid.toLowerCase(),
    component: element.component_uuid.toLowerCase(),
    service: element.service_uuid.toLowerCase(),
    characteristic: element.characteristic_uuid.toLowerCase(),
  }
}
