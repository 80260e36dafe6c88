import { parseInterval, type IntervalUse } from '../../datapoints/buckets/calendar.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { readAnyInstant } from '../systems/event-times.ts'

export interface GivenExpiry {
  /** RFC 3339. */
  readonly expiresAt?: string | null
  /** An ISO 8601 duration. */
  readonly expiresIn?: string | null
}

const DAY_MS = 86_400_000

/** The time when a setpoint expires unless it is applied; null for never. */
export function expiryOf({ expiresAt, expiresIn }: GivenExpiry, now: Date): Date | null {
  if (expiresAt != null && expiresIn != null) throw refused('expiresAt and expiresIn cannot be given both')
  if (expiresIn != null) return after(now, millisecondsOf(expiresIn))
  if (expiresAt == null) return null
  const moment = new Date(readAnyInstant(expiresAt, 'expiresAt') / 1000)
  if (moment > now) return moment
  throw refused(`expiresAt has passed: ${expiresAt}; it is ${now.toISOString()} now`)
}

/** The limit is far enough for every real setpoint. */
const LATEST = Date.UTC(2200, 0)

function after(now: Date, ms: number): Date {
  const time = now.getTime() + ms
  if (time <= LATEST) return new Date(time)
  throw refused('expiresIn is too long: it ends after the year 2199; leave it out for a setpoint that does not expire')
}

const EXPIRY: IntervalUse = { name: 'expiresIn', examples: 'PT15M, PT1H, P1D, P1W' }

function millisecondsOf(text: string): number {
  const interval = parseInterval(text, EXPIRY)
  if (interval.unit === 'months') throw refused(`expiresIn cannot be ${text}: months differ; give days, or a time`)
  const ms = interval.unit === 'days' ? interval.count * DAY_MS : interval.count / 1000
  if (ms >= 1) return ms
  throw refused(`expiresIn is less than a millisecond: ${text}`)
}

function refused(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}
