import { newPoints, type PointColumns } from '../../datapoints/chunks/flush.ts'
import { elementProblem, hasOtherFields, type Element } from '../../datapoints/wire/element.ts'
import { readTimestamp, tooOld, type TimestampLimits } from '../../datapoints/wire/timestamp.ts'
import { isViolation } from '../../datapoints/rules/violation.ts'
import { WorkBudget } from '../../records/value-schema/work-budget.ts'
import { reaches, type Reach } from '../systems/reach.ts'
import { BatchErrors, type BatchError } from './batch-error.ts'
import { BatchTimes } from './batch-times.ts'
import type { ReportedSetting } from './reported-settings.ts'
import type { DomainSeries, SeriesEntry } from './series-cache.ts'

/** The four uuids of a point, in lower case. */
export interface PointKey {
  readonly system: string
  readonly component: string
  readonly service: string
  readonly characteristic: string
}

/** Why no point may have this key. */
export interface KeyRefusal extends Pick<BatchError, 'code' | 'detail'> {
  readonly field: keyof typeof FIELDS | null
}

export interface BatchOptions {
  readonly domainId: number
  /** Where the times of points without a timestamp begin; microseconds since 1970. NaN where none may be given yet. */
  readonly arrival: number
  readonly limits: TimestampLimits
  /** What may be written to; null: anything. */
  readonly bounds: Reach | null
  /** By `keyText`: what was looked up already, and refused. */
  readonly refused: ReadonlyMap<string, KeyRefusal>
}

export interface ReadPoints {
  readonly points: PointColumns
  /** Those of the points that setpoints may be waiting for. */
  readonly settings: readonly ReportedSetting[]
  readonly times: BatchTimes
}

export interface ReadBatch extends ReadPoints {
  readonly errors: BatchErrors
  /** Keys that are not known yet: with these looked up, the batch must be read again. */
  readonly missing: ReadonlyMap<string, PointKey>
  /** The index of the element that a point was made from, by its place; left out where they are the same. */
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

/** Checks a batch and makes columns of it. One loop that allocates nothing for a point that is good: it is what ingest costs. */
export function readBatch(elements: readonly unknown[], series: DomainSeries, options: BatchOptions): ReadBatch {
  const { arrival, limits, bounds } = options
  const points = newPoints(elements.length)
  const slow = new SlowPath(series, options)
  const { errors } = slow
  const times = new BatchTimes(arrival)
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
      errors.add(index, 'timestamp', at)
      continue
    }
    if (at < entry.kept.earliest) {
      errors.add(index, 'timestamp', tooOld(entry.kept.earliest))
      continue
    }
    if (hasOtherFields(element) && !slow.isWhole(element, index)) continue
    const value = entry.rules.accept(element.value, budget)
    if (isViolation(value)) {
      errors.add(index, 'value', value)
      continue
    }
    setPoint(points, count, { entry, at, value })
    times.note(entry, at)
    if (count !== index) slow.indices.set(count, index)
    if (entry.isSetting) slow.settings.push({ entry, at, value })
    count += 1
  }
  points.domains.push({ domainId: options.domainId, end: count })
  const { settings, missing, indices } = slow
  return { points: { ...points, count }, times, errors, settings, missing, indices }
}

export function setPoint(
  points: ReturnType<typeof newPoints>,
  place: number,
  { entry, at, value }: ReportedSetting,
): void {
  points.series[place] = entry.id
  points.at[place] = at
  points.kinds[place] = entry.kind
  if (typeof value === 'number') points.values[place] = value
  else if (typeof value === 'boolean') points.values[place] = value ? 1 : 0
  else points.others.set(place, value)
}

export function unknownComponent({ component }: Pick<PointKey, 'component'>): KeyRefusal {
  return { field: 'component', code: 'unknown-component', detail: `there is no component ${component}` }
}

export const NOT_ALLOWED = { code: 'not-allowed', detail: 'this account is bound to another system' } as const

/** For points whose series is not known by these very texts: wrong ones, new ones, and uuids in capital letters. */
class SlowPath {
  readonly errors = new BatchErrors()
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
    const { bounds, refused } = this.#options
    const systemUuid = bounds?.systemUuid ?? null
    if (systemUuid !== null && key.system !== systemUuid) {
      this.errors.add(index, FIELDS.system, NOT_ALLOWED)
      return undefined
    }
    const entry = this.#series.find(key.component, key.characteristic, key.service, key.system)
    if (entry !== undefined) return entry
    const text = keyText(key)
    const refusal = refused.get(text)
    if (refusal === undefined) this.missing.set(text, key)
    else this.errors.add(index, refusal.field === null ? null : FIELDS[refusal.field], refusal)
    return undefined
  }

  /** Of a system that may not be written to. A device knows that there are others; for whoever is bound to units there are none. */
  refuse({ systemUuid, componentUuid }: SeriesEntry, index: number): void {
    const own = this.#options.bounds?.systemUuid ?? null
    if (own !== null && own !== systemUuid) this.errors.add(index, FIELDS.system, NOT_ALLOWED)
    else this.errors.add(index, FIELDS.component, unknownComponent({ component: componentUuid }))
  }

  isWhole(element: unknown, index: number): element is Element {
    const problem = elementProblem(element)
    if (problem !== null) this.errors.add(index, problem.field, problem.violation)
    return problem === null
  }
}

export function keyOf(element: Element): PointKey {
  return {
    system: element.system_uuid.toLowerCase(),
    component: element.component_uuid.toLowerCase(),
    service: element.service_uuid.toLowerCase(),
    characteristic: element.characteristic_uuid.toLowerCase(),
  }
}
