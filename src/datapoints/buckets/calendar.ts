import { Temporal } from 'temporal-polyfill'
import { HoldfastError } from '../../lib/errors.ts'
import { quoted } from '../../lib/quoted.ts'

// Days, weeks, months and years follow the calendar of a time zone. There, a day has 23, 24 or 25 hours, or does not
// exist.

/** The length of a bucket. A year is twelve months, and a week is seven days that begin on a Monday. */
export type Interval =
  | { readonly text: string; readonly unit: 'microseconds'; readonly count: number }
  | { readonly text: string; readonly unit: 'days' | 'months'; readonly count: number; readonly first: string }

const MICROSECONDS_PER_HOUR = 3_600_000_000
const DATE_FIELDS = ['years', 'months', 'weeks', 'days'] as const
const TIME_FIELDS = ['hours', 'minutes', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const

/** An interval of more than a thousand years is most likely a mistake. */
const MAX_DAYS = 366_000
const MAX_MONTHS = 12_000

/** Buckets of several days or months are counted from 1970, and weeks from the first Monday in 1970. */
const FIRST_DAY = '1970-01-01'
const FIRST_MONDAY = '1970-01-05'

/** The purpose of an interval, as messages name it. */
export interface IntervalUse {
  readonly name: string
  /** Examples that are valid for this purpose. */
  readonly examples: string
}

const OF_BUCKETS: IntervalUse = { name: 'interval', examples: 'PT15M, PT1H, P1D, P1W, P1M, P1Y' }

/**
 * Reads an interval: `PT15M` is exact, and `P1D`, `P1W`, `P1M` and `P1Y` follow the calendar. Rejects a mixture of
 * both, because it has no regular boundaries.
 */
export function parseInterval(text: string, use = OF_BUCKETS): Interval {
  const duration = parseDuration(text, use)
  const dates = DATE_FIELDS.filter((field) => duration[field] !== 0)
  const hasTime = TIME_FIELDS.some((field) => duration[field] !== 0)
  if (dates.length + Number(hasTime) !== 1)
    throw wrongInterval(text, use, 'it must have either one calendar unit or a time')
  const [field] = dates
  return field === undefined ? exact(text, duration, use) : ofCalendar(text, field, duration[field], use)
}

function parseDuration(text: string, use: IntervalUse): Temporal.Duration {
  let duration: Temporal.Duration
  try {
    duration = Temporal.Duration.from(text)
  } catch {
    throw wrongInterval(text, use, 'it is no ISO 8601 duration')
  }
  if (duration.sign <= 0) throw wrongInterval(text, use, 'it must be longer than zero')
  return duration
}

function exact(text: string, duration: Temporal.Duration, use: IntervalUse): Interval {
  const count = duration.hours * MICROSECONDS_PER_HOUR + duration.with({ hours: 0 }).total('microseconds')
  if (!Number.isSafeInteger(count)) throw wrongInterval(text, use, 'it must be a whole number of microseconds')
  return { text, unit: 'microseconds', count }
}

function ofCalendar(text: string, field: (typeof DATE_FIELDS)[number], count: number, use: IntervalUse): Interval {
  const days = { days: 1, weeks: 7, months: 0, years: 0 }[field] * count
  const months = { days: 0, weeks: 0, months: 1, years: 12 }[field] * count
  if (days > MAX_DAYS || months > MAX_MONTHS) throw wrongInterval(text, use, 'it must be at most a thousand years')
  if (months > 0) return { text, unit: 'months', count: months, first: FIRST_DAY }
  return { text, unit: 'days', count: days, first: field === 'weeks' ? FIRST_MONDAY : FIRST_DAY }
}

function wrongInterval(text: string, { name, examples }: IntervalUse, why: string): HoldfastError {
  return new HoldfastError(
    'BAD_USER_INPUT',
    `the ${name} ${quoted(text)} cannot be used: ${why}; examples are ${examples}`,
  )
}

/** Accepts an IANA name, or an offset such as `+02:00`. */
export function checkTimeZone(timeZone: string): string {
  try {
    Temporal.PlainDate.from(FIRST_DAY).toZonedDateTime(timeZone)
    return timeZone
  } catch {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `the time zone ${quoted(timeZone)} is not known; an example is Europe/Berlin`,
    )
  }
}

type CalendarInterval = Extract<Interval, { unit: 'days' | 'months' }>

/**
 * Yields the beginnings of all intervals after the one that contains `from`. They never go back. If a day does not
 * exist, the same time comes twice.
 */
export function* calendarStarts(interval: CalendarInterval, timeZone: string, from: number): Generator<number> {
  const { unit, count, first } = interval
  const anchor = Temporal.PlainDate.from(first)
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(from / 1000)).toZonedDateTimeISO(timeZone)
  const passed = anchor.until(local.toPlainDate(), { largestUnit: unit === 'days' ? 'days' : 'months' })
  const before = unit === 'days' ? passed.days : monthsBefore(passed)
  for (let index = Math.floor(before / count) + 1; ; index++) {
    yield startOfDay(anchor.add({ [unit]: index * count }), timeZone)
  }
}

/** The whole months since 1970, rounded down. Temporal rounds a negative duration up, so one month is subtracted. */
function monthsBefore({ months, days }: Temporal.Duration): number {
  return days < 0 ? months - 1 : months
}

/** Returns the beginning of a day. If the change to summer time skips midnight, it begins at the first time after. */
function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds * 1000
}
