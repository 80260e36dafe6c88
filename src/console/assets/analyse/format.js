import { exactText, figureText } from './figures.js'

// Formats values and times like the rest of the console.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The jumps of clocks at the change of summer time: an hour, or half an hour in one zone. */
const REPEATS = [-HOUR, -HOUR / 2, HOUR / 2, HOUR]

/** Formats a value with all of its digits, or with the labels of its options. */
export function valueText(value, { form, precision, options }) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || form === 'raw' || form === 'buckets') return exactText(value, precision)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one) => options[one]?.label ?? one).join(', ') || 'none'
  return typeof value === 'object' ? JSON.stringify(value) : (options[value]?.label ?? String(value))
}

/** The text of a reading: the computed mean of several points, or else the value. */
export function readText({ value, min }, series) {
  return min === undefined ? valueText(value, series) : figureText(value, series.precision)
}

/** `47 min`, `6 h 14 min`, `3 d` */
export function lengthText(ms, round = Math.round) {
  const [seconds, minutes] = [round(ms / 1_000), round(ms / MINUTE)]
  if (seconds < 60) return `${seconds} s`
  if (minutes < 60) return `${minutes} min`
  if (ms >= 2 * DAY) return `${Math.round(ms / DAY)} d`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** The age of a value in the list of series, in a few letters. */
export function shortAge(ms) {
  if (ms < HOUR) return lengthText(ms, Math.floor)
  return ms < DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`
}

/** Makes the formats for a zone once, because creating a format is much slower than using it. */
export function clockOf(zone) {
  const format = (options) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
  const two = '2-digit'
  const minutes = format({ hour: two, minute: two })
  const zoneName = format({ timeZoneName: 'short' })
  const seconds = format({ hour: two, minute: two, second: two })
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const month = format({ month: 'short' })
  const year = format({ year: 'numeric' })
  const parts = format({ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two })
  /** Adds the offset to a time that occurs twice, such as in the night when summer time ends. */
  const told = (text, at) => {
    const isTwice = REPEATS.some((apart) => minutes.format(at) === minutes.format(at + apart))
    return isTwice ? `${text} ${zoneName.formatToParts(at).find(({ type }) => type === 'timeZoneName').value}` : text
  }
  return {
    minutes: (at) => told(minutes.format(at), at),
    seconds: (at) => told(seconds.format(at), at),
    day: (at) => day.format(at).replace(',', ''),
    month: (at) => month.format(at),
    year: (at) => year.format(at),
    /** The offset of the zone from UTC. */
    offset(at) {
      const { year, month, day, hour, minute, second } = Object.fromEntries(
        parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
      )
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
    },
  }
}

/** The time at the crosshair, as exact as the window requires. */
export function momentText(clock, at, span) {
  if (span > DAY) return `${clock.day(at)} ${clock.minutes(at)}`
  return span > HOUR ? clock.minutes(at) : clock.seconds(at)
}
