import { Temporal } from 'temporal-polyfill'
import { HoldfastError } from '../lib/errors.ts'
import { quoted } from '../lib/quoted.ts'

const DATE_FIELDS = ['years', 'months', 'weeks', 'days'] as const

/** A retention of more than a thousand years is most likely a mistake. */
const MOST_DAYS = 366_000

/** Reads an ISO 8601 duration of whole days or more, and returns it in its normal form. */
export function parseKeep(text: string): string {
  let duration: Temporal.Duration
  try {
    duration = Temporal.Duration.from(text)
  } catch {
    throw wrongKeep(text, 'it is no ISO 8601 duration')
  }
  const whole = Temporal.Duration.from(Object.fromEntries(DATE_FIELDS.map((field) => [field, duration[field]])))
  if (whole.toString() !== duration.toString()) throw wrongKeep(text, 'it must be whole days, weeks, months or years')
  if (duration.sign <= 0) throw wrongKeep(text, 'it must last a day at least')
  if (daysOf(duration) > MOST_DAYS) throw wrongKeep(text, 'it must be at most a thousand years; null is for ever')
  return duration.toString()
}

function daysOf({ years, months, weeks, days }: Temporal.Duration): number {
  return years * 366 + months * 31 + weeks * 7 + days
}

function wrongKeep(text: string, why: string): HoldfastError {
  return new HoldfastError(
    'BAD_USER_INPUT',
    `keep: datapoints cannot be kept for ${quoted(text)}: ${why}; examples are P30D, P12W, P6M, P5Y`,
  )
}

/**
 * Returns the earliest time that is kept, in microseconds since 1970. It is the beginning of a day (UTC), so that most
 * chunks are kept or deleted as a whole. If `keep` is null, it is the beginning of 1970.
 */
export function earliestKept(keep: string | null, now: number): number {
  if (keep === null) return 0
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(now / 1000))
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
  const first = today.subtract(keep).toZonedDateTime('UTC').epochMilliseconds * 1000
  return Math.max(0, first)
}
