import { instantFlaw } from '../../records/instant.ts'
import { fractionEnd, readLocalSeconds, readOffset } from '../../records/values/day-time.ts'
import { describe, type Violation } from '../../records/values/violation.ts'
import { isWireTime } from '../../records/values/wire-time.ts'

// The time of a datapoint has the resolution of PostgreSQL's timestamptz, microseconds. Finer times are rounded and not
// rejected, because .NET, Go and OpenTelemetry write more digits than their clocks have.

/** The limits of allowed times, both included, in microseconds since 1970. */
export interface TimestampLimits {
  readonly earliest: number
  readonly latest: number
}

/** The time by which a datapoint may be ahead of the server's clock by default, in microseconds. */
export const DEFAULT_AHEAD_MICROSECONDS = 600_000_000

export function timestampLimits(nowMicroseconds: number, ahead = DEFAULT_AHEAD_MICROSECONDS): TimestampLimits {
  return { earliest: 0, latest: nowMicroseconds + ahead }
}

export function microsecondsOf(moment: Date): number {
  return moment.getTime() * 1_000
}

/** Reads RFC 3339, whole milliseconds since 1970 or a MessagePack timestamp, rounded to microseconds. */
export function readTimestamp(value: unknown, limits: TimestampLimits): number | Violation {
  if (typeof value === 'string') return readText(value, limits)
  if (typeof value === 'number') return readMilliseconds(value, limits)
  if (typeof value === 'bigint') return readMilliseconds(Number(value), limits)
  if (isWireTime(value)) return readWireTime(value.seconds, value.nanoseconds, limits)
  if (value === null)
    return { code: 'null-value', detail: 'null is not a timestamp; leave the timestamp out to use the time of arrival' }
  return badFormat(value)
}

/** Reads RFC 3339 for inputs that allow no other form. Its messages do not mention milliseconds. */
export function readTimestampText(text: string, limits: TimestampLimits): number | Violation {
  return readText(text, limits, DATE_TIME)
}

const DATE_TIME = 'a date-time with offset such as 2026-01-31T06:30:00.250Z'
const ANY_FORM = `${DATE_TIME}, or whole milliseconds since 1970`

function readText(text: string, limits: TimestampLimits, expected = ANY_FORM): number | Violation {
  const end = fractionEnd(text, 19)
  const seconds = readLocalSeconds(text) - readOffset(text, end)
  if (end === -1 || Number.isNaN(seconds)) return badFormat(text, expected)
  const fraction = end === 19 ? 0 : readMicroseconds(text, end)
  return inRange(seconds * 1_000_000 + fraction, limits)
}

/** Reads the fraction from index 20 on, rounded to microseconds. */
function readMicroseconds(text: string, end: number): number {
  let microseconds = 0
  for (let at = 20; at < 26; at++) microseconds = microseconds * 10 + (at < end ? text.charCodeAt(at) - 48 : 0)
  return end > 26 && text.charCodeAt(26) >= 53 ? microseconds + 1 : microseconds
}

function readMilliseconds(value: number, limits: TimestampLimits): number | Violation {
  if (!Number.isInteger(value)) return isFractionOfSeconds(value) ? otherUnit(value) : badFormat(value)
  if (value >= LEAST_MILLISECONDS && value <= MOST_MILLISECONDS) return inRange(value * 1000, limits)
  return value < 0 ? tooOld(limits.earliest) : otherUnit(value)
}

/**
 * Smaller numbers are probably seconds, the most common mistake: read as milliseconds, times of today would be in
 * January 1970. Larger numbers are probably microseconds or nanoseconds. Times before 1973-03-03 can be written as
 * texts.
 */
const LEAST_MILLISECONDS = 1e11
const MOST_MILLISECONDS = 1e14

/** Tells whether a number looks like seconds with a fraction, which many clocks return. */
function isFractionOfSeconds(value: number): boolean {
  return value >= LEAST_MILLISECONDS / 1000 && value < LEAST_MILLISECONDS
}

function otherUnit(value: number): Violation {
  const meant = value < LEAST_MILLISECONDS ? inSeconds(value) : 'microseconds or nanoseconds; milliseconds are needed'
  return { code: 'timestamp-unit', detail: `${value} looks like ${meant}` }
}

function inSeconds(value: number): string {
  const meant = `seconds since 1970 (${isoText(value * 1_000_000)}); milliseconds are needed`
  return `${meant}, and a time before 1973-03-03 is written as a text such as "1970-01-31T06:30:00Z"`
}

function readWireTime(seconds: number, nanoseconds: number, limits: TimestampLimits): number | Violation {
  return inRange(seconds * 1_000_000 + Math.round(nanoseconds / 1000), limits)
}

/** Checks the limits. Far from 1970 microseconds are not exact, but such times are out of range in any case. */
function inRange(microseconds: number, { earliest, latest }: TimestampLimits): number | Violation {
  if (microseconds > latest) {
    const detail = `the timestamp is after ${isoText(latest)}, the latest accepted time; check the clock and the unit (milliseconds)`
    return { code: 'timestamp-ahead', detail }
  }
  if (microseconds < earliest) return tooOld(earliest)
  // Adding 0 turns -0 into 0.
  return microseconds + 0
}

/** Rejects a time that retention would delete at once, so that no accepted datapoint is lost silently. */
export function tooOld(earliest: number): Violation {
  return {
    code: 'timestamp-too-old',
    detail: `the timestamp is before ${isoText(earliest)}, the earliest stored time`,
  }
}

function isoText(microseconds: number): string {
  return new Date(Math.floor(microseconds / 1000)).toISOString()
}

function badFormat(value: unknown, expected = ANY_FORM): Violation {
  const flaw = typeof value === 'string' ? instantFlaw(value) : ''
  return { code: 'timestamp-format', detail: `the timestamp must be ${expected}, but is ${describe(value)}${flaw}` }
}

// A datapoint without a time gets the time of its arrival. No two points of a series may get the same time, even if
// they arrive at different server processes. So the last two digits of the microseconds are the lane of the process,
// and no two processes have the same lane at the same time.

/** The distance between two times of one lane, in microseconds. */
export const ARRIVAL_STEP = 100

/** Returns the first time of a lane that is not before `at`, in microseconds since 1970. */
export function arrivalFrom(at: number, lane: number): number {
  return Math.ceil((at - lane) / ARRIVAL_STEP) * ARRIVAL_STEP + lane
}
