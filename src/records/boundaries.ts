import type { Characteristic, DataType } from '../../generated/import-document.ts'
import type { Json } from '../lib/json.ts'
import { canonicalInstant } from './instant.ts'
import { canonicalWhole, comparableNumber, isWhole } from './whole-number.ts'
import type { Report } from './record-type.ts'
import { secondsOfDay } from './time-of-day.ts'

const DATE = /^\d{4}-\d\d-\d\d$/

type Boundary = string | number

interface Kind {
  readonly says: string
  fits(value: Boundary): boolean
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
    says: 'a whole number',
    fits: isWhole,
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
    fits: (value) =>
      typeof value === 'string' &&
      !Number.isNaN(Date.parse(canonicalInstant(value))) &&
      /T.*Z$/.test(canonicalInstant(value)),
    canonical: (value) => (typeof value === 'string' ? canonicalInstant(value) : value),
    order: (value) => Date.parse(String(value)),
  },
}

export function canonicalBoundary(value: Json, { dataType }: Characteristic): Json {
  return KINDS[dataType]?.canonical?.(value) ?? value
}

export function checkBoundaries(body: Characteristic, report: Report): void {
  const { dataType, boundaryStep: step } = body
  const kind = KINDS[dataType]
  if (kind !== null) {
    const fit = (['boundaryMin', 'boundaryMax'] as const).filter((field) => fitsKind(body, field, kind, report))
    if (fit.length === 2) checkOrder(body, kind, report)
  }
  if (typeof step === 'number' && step <= 0) {
    report('error', 'boundary-step', ['boundaryStep'], `boundaryStep must be greater than 0, not ${step}`)
  }
  if (dataType === 'INTEGER' && typeof step === 'number' && step > 0 && !Number.isInteger(step)) {
    report('error', 'boundary-step', ['boundaryStep'], `boundaryStep of an INTEGER must be a whole number, not ${step}`)
  }
  if (typeof body.precision === 'number' && (body.precision < 0 || body.precision > 15)) {
    report(
      'error',
      'precision-range',
      ['precision'],
      `precision is a number of decimals from 0 to 15, not ${body.precision}`,
    )
  }
}

function fitsKind(body: Characteristic, field: 'boundaryMin' | 'boundaryMax', kind: Kind, report: Report): boolean {
  const value = body[field]
  if (value === undefined || value === null) return false
  if (kind.fits(value)) return true
  report(
    'error',
    'boundary-of-other-type',
    [field],
    `${field} of ${body.dataType === 'INTEGER' ? 'an' : 'a'} ${body.dataType} must be ${kind.says}, not ${JSON.stringify(value)}`,
  )
  return false
}

function checkOrder({ dataType, boundaryMin, boundaryMax }: Characteristic, { order }: Kind, report: Report): void {
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

function isCalendarDay(day: string): boolean {
  const instant = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day)
}
