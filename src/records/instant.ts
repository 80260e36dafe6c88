import { withoutTrailing } from '../lib/without-trailing.ts'

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/**
 * Writes each instant in one way: RFC 3339 in UTC, with the fraction as precise as it was written and without
 * trailing zeros. A text that is no instant is returned as it is.
 */
export function canonicalInstant(text: string): string {
  return readInstant(text).canonical ?? text
}

export function isInstant(text: string): boolean {
  return readInstant(text).canonical !== null
}

/**
 * The mistake in a text that looks like a date-time and is no instant, in words for the end of a message; empty for all
 * other texts.
 */
export function instantFlaw(text: string): string {
  const { canonical, flaw } = readInstant(text)
  return canonical === null && flaw !== '' ? `; ${flaw}` : ''
}

export function isCalendarDay(day: string): boolean {
  const instant = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day)
}

interface Reading {
  readonly canonical: string | null
  readonly flaw: string
}

function readInstant(text: string): Reading {
  const match = DATE_TIME.exec(text)
  if (match === null) return none('')
  const [, day = '', time = '', fraction = '', sign, hours = '0', minutes = '0'] = match
  // Date.parse takes the 30th of February for the 2nd of March, and 24:00:00 for the next midnight.
  if (!isCalendarDay(day)) return none(`there is no day ${day}`)
  if (time.endsWith(':60')) return none('a leap second (:60) has no place of its own')
  if (!TIME_OF_DAY.test(time)) return none(`there is no time of day ${time}`)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  const written = new Date(Date.parse(`${day}T${time}Z`) - offset).toISOString()
  // Years of another length have a sign, and RFC 3339 does not know them.
  if (!/^\d{4}-/.test(written)) return none('in UTC it is outside of the years 0000 to 9999')
  const digits = withoutTrailing(fraction, '0')
  return { canonical: `${written.slice(0, 19)}${digits === '' ? '' : `.${digits}`}Z`, flaw: '' }
}

function none(flaw: string): Reading {
  return { canonical: null, flaw }
}
