import { Temporal } from 'temporal-polyfill'
import { HoldfastError } from '../../../../lib/errors.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The windows that the toolbar offers. */
export const SPANS = [
  { name: '15m', label: '15 min', ms: 15 * MINUTE },
  { name: '1h', label: '1 h', ms: HOUR },
  { name: '6h', label: '6 h', ms: 6 * HOUR },
  { name: '24h', label: '24 h', ms: DAY },
  { name: '7d', label: '7 d', ms: 7 * DAY },
  { name: '30d', label: '30 d', ms: 30 * DAY },
  { name: '1y', label: '1 y', ms: 365 * DAY },
] as const

export type SpanName = (typeof SPANS)[number]['name']

/** The visible time, in milliseconds since 1970. */
export interface Window {
  readonly from: number
  readonly to: number
  /** Null if the person has chosen both ends. */
  readonly span: SpanName | null
  /** Whether the window ends now and follows the present. */
  readonly isNow: boolean
}

/** The default, which the verification of the specification uses. */
const USUAL: SpanName = '24h'
const LONGEST = 10 * 366 * DAY
const SHORTEST = 1_000

/** Reads the window from the address: `window` and `to`, or `from` and `to`. */
export function readWindow(query: URLSearchParams, now: Date, zone: string): Window {
  const [from, to] = ['from', 'to'].map((name) => readMoment(query.get(name), name, zone))
  const end = to ?? now.getTime()
  if (from != null) return checked({ from, to: end, span: null, isNow: to == null })
  const name = query.get('window') ?? USUAL
  const span = SPANS.find((one) => one.name === name)
  if (span === undefined) throw unknownSpan(name)
  return checked({ from: end - span.ms, to: end, span: span.name, isNow: to == null })
}

/** All datapoints and events are within this time, and a time far outside of it has no date. */
const [EARLIEST, LATEST] = [0, Date.UTC(9999, 11, 31)]

function checked(window: Window): Window {
  if (!(window.from >= EARLIEST && window.to <= LATEST))
    throw new HoldfastError('BAD_USER_INPUT', 'a window is between the years 1970 and 9999')
  const length = window.to - window.from
  if (length < SHORTEST) throw new HoldfastError('BAD_USER_INPUT', 'from must be at least a second before to')
  if (length > LONGEST) throw new HoldfastError('LIMIT_EXCEEDED', 'a window has at most ten years; take a shorter one')
  return window
}

function unknownSpan(name: string): HoldfastError {
  const names = SPANS.map(({ name }) => name).join(', ')
  return new HoldfastError('BAD_USER_INPUT', `there is no window ${JSON.stringify(name)}; there are ${names}`)
}

/** Reads a time: with an offset, as in addresses, or without one, as from a form, in the person's time zone. */
function readMoment(text: string | null, name: string, zone: string): number | null {
  if (text === null || text === '') return null
  try {
    if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  } catch {
    throw new HoldfastError('BAD_USER_INPUT', `${name} is not a valid time: ${JSON.stringify(text)}`)
  }
}

/** Writes a time in the format of form fields: `2026-11-22T14:32`. */
export function fieldText(at: number, zone: string): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(Math.round(at)).toZonedDateTimeISO(zone)
  return moment.toPlainDateTime().toString({ smallestUnit: 'minute' })
}
