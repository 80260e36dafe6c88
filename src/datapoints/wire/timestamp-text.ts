const SECOND = 1_000_000
const DAY = 86_400 * SECOND

let knownDay = Number.NaN
let knownDate = ''

/** Writes microseconds since 1970 as RFC 3339 in UTC, with three decimals, or six if milliseconds are not exact. */
export function timestampText(microseconds: number): string {
  const day = Math.floor(microseconds / DAY)
  if (day !== knownDay) {
    knownDate = new Date(day * (DAY / 1000)).toISOString().slice(0, -13)
    knownDay = day
  }
  const rest = microseconds - day * DAY
  const seconds = Math.floor(rest / SECOND)
  return `${knownDate}${clockText(seconds)}.${fractionText(rest - seconds * SECOND)}Z`
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => digits(value, 2))

function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`
}

function fractionText(microseconds: number): string {
  if (microseconds === 0) return '000'
  return microseconds % 1000 === 0 ? digits(microseconds / 1000, 3) : digits(microseconds, 6)
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
