import { instantText, readDate, readInstant, readTimeOfDay } from './values/day-time.ts'

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Writes instants in one form: RFC 3339 in UTC, without trailing zeros. Other texts stay unchanged. */
export function canonicalInstant(text: string): string {
  return writtenInUtc(text) ?? text
}

export function isInstant(text: string): boolean {
  return writtenInUtc(text) !== null
}

/** The mistake in a text that looks like a date-time but is no instant, for a message's end; empty for other texts. */
export function instantFlaw(text: string): string {
  const [, day, time] = DATE_TIME.exec(text) ?? []
  if (day === undefined || time === undefined || isInstant(text)) return ''
  if (readDate(day) === null) return `; there is no day ${day}`
  if (time.endsWith(':60')) return '; a leap second (:60) has no place of its own'
  if (readTimeOfDay(time) === null) return `; there is no time of day ${time}`
  // Years outside of 0000 to 9999 have a sign, which RFC 3339 does not allow.
  return '; in UTC it is outside of the years 0000 to 9999'
}

function writtenInUtc(text: string): string | null {
  const instant = readInstant(text)
  return instant === null ? null : instantText(instant)
}
