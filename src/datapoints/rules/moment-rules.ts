import type { Json } from '../../lib/json.ts'
import { withoutTrailing } from '../../lib/without-trailing.ts'
import { enforcedBoundary } from '../../records/characteristics/boundaries.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { compareMoments, readDate, readInstant, readTimeOfDay, readTimeSpan, type Moment } from '../wire/day-time.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { refuseType, shown, type Violation } from '../wire/violation.ts'
import { isWireTime, type WireTime } from '../wire/wire-time.ts'

export type MomentType = 'DATE' | 'TIME' | 'TIMESTAMP'

interface Reading {
  readonly expected: string
  read(text: string): Moment | null
}

const READINGS: { readonly [type in MomentType]: Reading } = {
  DATE: { expected: 'a date such as 2026-01-31', read: readDate },
  TIME: { expected: 'a time such as 06:30:00, 06:30:00.250 or 06:30:00+02:00', read: readTimeOfDay },
  TIMESTAMP: { expected: 'a date-time with offset such as 2026-01-31T06:30:00Z', read: readInstant },
}

/** The limit is far beyond the fraction of any real measurement. */
const LONGEST_TEXT = 64

/**
 * DATE, TIME and TIMESTAMP: values are stored as they were written, and compared with the boundaries by their
 * meaning.
 */
export class MomentRules implements ValueRules {
  readonly kind = 'text'
  readonly #reading: Reading
  readonly #isTimestamp: boolean
  readonly #min: Moment | null
  readonly #max: Moment | null
  readonly #characteristic: RecordBody

  constructor(type: MomentType, characteristic: RecordBody) {
    this.#reading = READINGS[type]
    this.#isTimestamp = type === 'TIMESTAMP'
    this.#characteristic = characteristic
    this.#min = this.#boundary('boundaryMin')
    this.#max = this.#boundary('boundaryMax')
  }

  accept(value: unknown): string | Violation {
    if (this.#isTimestamp && isWireTime(value)) return this.accept(instantText(value) ?? value.seconds)
    const { read, expected } = this.#reading
    const moment = typeof value === 'string' && value.length <= LONGEST_TEXT ? read(value) : null
    if (moment === null) return refuseType(value, expected)
    return this.#outside(value as string, moment) ?? (value as string)
  }

  show(stored: StoredValue): Json {
    return stored as string
  }

  /** A boundary that is a duration counts from midnight, which only a TIME does. */
  #boundary(field: 'boundaryMin' | 'boundaryMax'): Moment | null {
    const value = enforcedBoundary(this.#characteristic, field)
    return typeof value === 'string' ? (this.#reading.read(value) ?? readTimeSpan(value)) : null
  }

  #outside(value: string, moment: Moment): Violation | null {
    const below = this.#min !== null && compareMoments(moment, this.#min) < 0
    if (!below && (this.#max === null || compareMoments(moment, this.#max) <= 0)) return null
    const boundary = below ? 'boundaryMin' : 'boundaryMax'
    const where = `${below ? 'below' : 'above'} ${boundary} (${String(this.#characteristic[boundary])})`
    return { code: 'out-of-bounds', detail: `${shown(value)} is ${where}` }
  }
}

const YEAR_0 = -62_167_219_200
const YEAR_10000 = 253_402_300_800

/** The time as text; null outside of the years 0000 to 9999, which are all that RFC 3339 knows. */
function instantText({ seconds, nanoseconds }: WireTime): string | null {
  if (seconds < YEAR_0 || seconds >= YEAR_10000) return null
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = withoutTrailing(String(nanoseconds).padStart(9, '0'), '0')
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}
