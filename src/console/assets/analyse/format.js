// Numbers and times as the rest of the console writes them.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const formats = new Map()

/** To make a format costs more than to use it a thousand times. */
function figureFormat(most, least) {
  const name = `${most} ${least}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat('en-US', { maximumFractionDigits: most, minimumFractionDigits: least })
  formats.set(name, made)
  return made
}

/** Without a precision, as many digits as tell values apart that people compare. */
export function figureText(value, precision) {
  if (value === null || value === undefined || Number.isNaN(value)) return ''
  const digits = precision ?? Math.max(0, Math.min(6, 4 - Math.ceil(Math.log10(Math.abs(value) || 1))))
  return figureFormat(digits, precision ?? 0)
    .format(value)
    .replace(/^-(?=.*[1-9])/, '−')
    .replace('-', '')
}

export function valueText(value, { precision, options }) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return figureText(value, precision)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one) => options[one]?.label ?? one).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : (options[value]?.label ?? String(value))
}

/** `47 min`, `6 h 14 min`, `3 d` */
export function lengthText(ms) {
  if (ms < MINUTE) return `${Math.round(ms / 1_000)} s`
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`
  if (ms >= 2 * DAY) return `${Math.round(ms / DAY)} d`
  const minutes = Math.round((ms % HOUR) / MINUTE)
  return minutes === 0 ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / HOUR)} h ${minutes} min`
}

/** Writes times of a zone. To make a format costs more than to use it a thousand times. */
export function clockOf(zone) {
  const format = (options) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
  const two = '2-digit'
  const minutes = format({ hour: two, minute: two })
  const seconds = format({ hour: two, minute: two, second: two })
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const month = format({ month: 'short' })
  const year = format({ year: 'numeric' })
  const parts = format({ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two })
  return {
    minutes: (at) => minutes.format(at),
    seconds: (at) => seconds.format(at),
    day: (at) => day.format(at).replace(',', ''),
    month: (at) => month.format(at),
    year: (at) => year.format(at),
    /** How far the zone is ahead of UTC. */
    offset(at) {
      const { year, month, day, hour, minute, second } = Object.fromEntries(
        parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
      )
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
    },
  }
}

/** The time at the crosshair, as exact as the window needs it. */
export function momentText(clock, at, span) {
  if (span > 20 * DAY) return `${clock.day(at)} ${clock.minutes(at)}`
  if (span > DAY) return `${clock.day(at)} ${clock.minutes(at)}`
  return span > HOUR ? clock.minutes(at) : clock.seconds(at)
}
