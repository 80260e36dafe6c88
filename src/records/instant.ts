const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Writes each instant in one way: RFC 3339 in UTC, with the fraction as precise as it was written and without
 * trailing zeros. A text that is no date-time, such as one with a leap second, which a Date cannot hold, is returned
 * as it is.
 */
export function canonicalInstant(text: string): string {
  const match = DATE_TIME.exec(text)
  if (match === null) return text
  const [, day, time, fraction = '', sign, hours = '0', minutes = '0'] = match
  const local = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(local)) return text
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  const seconds = new Date(local - offset).toISOString().slice(0, 19)
  const digits = fraction.replace(/0+$/, '')
  return `${seconds}${digits === '' ? '' : `.${digits}`}Z`
}
