import type { Characteristic, DataType } from '../../../generated/import-document.ts'
import { withArticle } from '../../lib/article.ts'
import type { Json } from '../../lib/json.ts'
import { canonicalInstant, instantFlaw, isCalendarDay, isInstant } from '../instant.ts'
import { canonicalWhole, comparableNumber, isWhole } from '../whole-number.ts'
import type { Report } from '../record-type.ts'
import type { TypedCharacteristic } from './typed-characteristic.ts'

const TIME =
  /^(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d):(?<seconds>[0-5]\d(?:\.\d+)?)(?<offset>z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i
const SINCE_MIDNIGHT = /^PT(?=\d)(?:(?<hours>\d{1,4})H)?(?:(?<minutes>\d{1,6})M)?(?:(?<seconds>\d{1,8}(?:\.\d+)?)S)?$/

/**
 * The boundary of a TIME in seconds: a time of day with or without an offset, or a duration since midnight. Without
 * an offset it is in UTC. The result is not wrapped at midnight. Null where the text is none of these.
 */
function secondsOfDay(text: string): number | null {
  const parts = (TIME.exec(text) ?? SINCE_MIDNIGHT.exec(text))?.groups
  if (parts === undefined) return null
  const { hours, minutes, seconds, offset } = parts
  return clock(hours, minutes, seconds) - offsetSeconds(offset)
}

function offsetSeconds(offset: string | undefined): number {
  if (offset === undefined || offset.length === 1) return 0
  return (offset.startsWith('-') ? -1 : 1) * clock(offset.slice(1, 3), offset.slice(4), undefined)
}

function clock(hours: string | undefined, minutes: string | undefined, seconds: string | undefined): number {
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
}

const DATE = /^\d{4}-\d\d-\d\d$/

type Boundary = string | number

const FIELDS = ['boundaryMin', 'boundaryMax'] as const

interface Kind {
  readonly says: string
  /** Tells whether values can be compared with a boundary. */
  fits(value: Boundary): boolean
  /** The mistake in a value that does not fit, for the end of the message. */
  flaw?(value: Boundary): string
  /** Normalises equal boundaries to one form; left out where there is only one. */
  canonical?(value: Json): Json
  /** The value by which two valid boundaries are compared. */
  order(value: Boundary): string | number | bigint
}

/** The form of a boundary for each data type; null where boundaries are ignored (specification, section 2). */
const KINDS: { readonly [dataType in DataType]: Kind | null } = {
  BLOB: null,
  BOOLEAN: null,
  FLOAT: { says: 'a number', fits: (value) => typeof value === 'number', order: Number },
  INTEGER: {
    says: 'a number',
    fits: (value) => typeof value === 'number' || isWhole(value),
    canonical: canonicalWhole,
    order: (value) => comparableNumber(value) ?? Number.NaN,
  },
  DATE: {
    says: 'a date like 2026-01-31',
    fits: (value) => typeof value === 'string' && DATE.test(value) && isCalendarDay(value),
    order: String,
  },
  JSON: null,
  SELECT: null,
  STRING: null,
  TIME: {
    says: 'a time like 06:30:00 or 06:30:00+02:00, or the duration since midnight like PT6H30M',
    fits: (value) => typeof value === 'string' && secondsOfDay(value) !== null,
    order: (value) => secondsOfDay(String(value)) ?? Number.NaN,
  },
  TIMESPAN: null,
  TIMESTAMP: {
    says: 'a date-time with offset like 2026-01-31T06:30:00Z',
    fits: (value) => typeof value === 'string' && isInstant(value),
    flaw: (value) => instantFlaw(String(value)),
    canonical: (value) => (typeof value === 'string' ? canonicalInstant(value) : value),
    // Canonical texts are in the order of their instants, without the Z, before which a fraction would come.
    order: (value) => canonicalInstant(String(value)).slice(0, -1),
  },
}

export function canonicalBoundary(value: Json, { dataType }: Characteristic): Json {
  return KINDS[dataType]?.canonical?.(value) ?? value
}

/**
 * A boundary that values are held to; null where there is none. The specification takes any text and number for one, also
 * such that say nothing about values of the data type.
 */
export function enforcedBoundary(
  characteristic: { readonly [field: string]: Json },
  field: (typeof FIELDS)[number],
): Boundary | null {
  const { dataType, [field]: value } = characteristic
  const kind = isDataType(dataType) ? KINDS[dataType] : null
  return (typeof value === 'string' || typeof value === 'number') && kind?.fits(value) === true ? value : null
}

function isDataType(name: Json | undefined): name is DataType {
  return typeof name === 'string' && Object.hasOwn(KINDS, name)
}

export function checkBoundaries(body: TypedCharacteristic, report: Report): void {
  const kind = KINDS[body.dataType]
  if (kind !== null) {
    const fit = FIELDS.filter((field) => fitsKind(body, field, kind, report))
    if (fit.length === 2) checkOrder(body, kind, report)
  }
  warnAboutStep(body, report)
  warnAboutPrecision(body, report)
}

/** The specification takes any number for a step, and whether it means something is told by a warning. */
function warnAboutStep({ dataType, boundaryStep: step }: TypedCharacteristic, report: Report): void {
  if (typeof step !== 'number' || (dataType !== 'FLOAT' && dataType !== 'INTEGER')) return
  const warn = (message: string) => report('warning', 'boundary-step', ['boundaryStep'], message)
  if (step <= 0) return warn(`boundaryStep ${step} is ignored, because only a step greater than 0 says something`)
  if (dataType === 'INTEGER' && !Number.isInteger(step))
    warn(`boundaryStep ${step} of an INTEGER is no whole number, and only the whole numbers on it are allowed`)
}

function warnAboutPrecision({ dataType, precision }: TypedCharacteristic, report: Report): void {
  if (dataType !== 'FLOAT' || typeof precision !== 'number' || shownDecimals(precision) === precision) return
  const message = `precision is a number of decimals from 0 to ${MOST_DECIMALS}: ${precision} is shown as ${shownDecimals(precision)}`
  report('warning', 'precision-range', ['precision'], message)
}

/** A double has no more decimals that mean anything. */
const MOST_DECIMALS = 15

/** How many decimals are shown of a value with this precision. */
export function shownDecimals(precision: number): number {
  return Math.min(Math.max(precision, 0), MOST_DECIMALS)
}

function fitsKind(
  body: TypedCharacteristic,
  field: (typeof FIELDS)[number],
  { says, fits, flaw }: Kind,
  report: Report,
): boolean {
  const { dataType, [field]: value } = body
  if (value === undefined || value === null) return false
  if (fits(value)) return true
  const message = `${field} is stored and not enforced: values of ${withArticle(dataType)} are compared with ${says}, not with ${JSON.stringify(value)}${flaw?.(value) ?? ''}`
  report('warning', 'boundary-not-enforced', [field], message)
  return false
}

function checkOrder(
  { dataType, boundaryMin, boundaryMax }: TypedCharacteristic,
  { order }: Kind,
  report: Report,
): void {
  if (boundaryMin == null || boundaryMax == null) return
  if (order(boundaryMin) > order(boundaryMax)) {
    const values = `${JSON.stringify(boundaryMin)} > ${JSON.stringify(boundaryMax)}`
    report(
      'error',
      'boundaries-crossed',
      ['boundaryMin'],
      `boundaryMin is above boundaryMax (${values}): no ${dataType} value could be valid`,
    )
  }
}
