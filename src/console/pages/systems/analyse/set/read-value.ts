import { Temporal } from 'temporal-polyfill'
import { dataTypeOf } from '../../../../../records/data-types/data-type.ts'
import type { ValueInput } from '../../../../../records/data-types/declaration.ts'
import { HoldfastError } from '../../../../../lib/errors.ts'
import type { SystemSeries } from '../../../../../platform/datapoints/reading/series/system-series.ts'
import type { Filled } from '../../../../form.ts'
import { VALUE } from './value-field.ts'

type Read = (text: string, filled: Filled, series: SystemSeries, zone: string) => unknown

const asText: Read = (_, filled) => filled.exact(VALUE).replaceAll('\r\n', '\n')
const asWritten: Read = (text) => text

const READERS: { readonly [input in ValueInput]: Read } = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  date: asWritten,
  json: (text) => readJson(text),
  line: asWritten,
  lines: asWritten,
  moment: (text, _, __, zone) => readMoment(text, zone),
  number: (text) => readNumber(text),
  options: (text, filled, { characteristic }) => (characteristic['multiple'] === true ? filled.all(VALUE) : text),
  text: asText,
  // Browsers omit the seconds if they are 0.
  time: (text) => (/^\d\d:\d\d$/.test(text) ? `${text}:00` : text),
  whole: (text) => readWhole(text),
}

/** Reads the value that the person entered. The platform decides whether it is valid. */
export function readValue(filled: Filled, series: SystemSeries, zone: string): unknown {
  const read = READERS[dataTypeOf(series.characteristic).input](filled.text(VALUE), filled, series, zone)
  if (read === undefined) throw refused('choose a value')
  return read
}

function readNumber(text: string): number {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value))
    throw refused(`the value must be a number such as 21.5, not ${JSON.stringify(text)}`)
  return value
}

/** A number beyond 2^53 stays a text, so that it keeps all digits. */
function readWhole(text: string): number | string {
  if (!/^-?\d+$/.test(text)) throw refused(`the value must be a whole number such as 21, not ${JSON.stringify(text)}`)
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused(`the value must be JSON such as {"mode": 1}, not ${JSON.stringify(text)}`)
  }
}

/** Reads a date and time in the person's time zone. */
function readMoment(text: string, zone: string): string {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant().toString()
  } catch {
    throw refused(`the value must be a date and a time, not ${JSON.stringify(text)}`)
  }
}

function refused(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}
