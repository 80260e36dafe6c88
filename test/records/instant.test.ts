import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { canonicalInstant, instantFlaw, isInstant } from '../../src/records/instant.ts'

const FIRST = Temporal.Instant.from('0000-01-01T00:00:00Z')
const AFTER_LAST = Temporal.Instant.from('+010000-01-01T00:00:00Z')

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d*[1-9])?Z$/

const digits = (value: number, length: number) => String(value).padStart(length, '0')
const number = (max: number, length: number) =>
  fc.integer({ min: 0, max }).map((value) => ({ value, text: digits(value, length) }))
const fraction = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 }).map((list) => list.join(''))
const offset = fc
  .tuple(fc.constantFrom('+', '-'), number(23, 2), number(59, 2))
  .map(([sign, hours, minutes]) => `${sign}${hours.text}:${minutes.text}`)

const written = fc.record({
  year: fc.oneof(number(9999, 4), fc.constantFrom(0, 1, 1900, 2000, 9999).map(year)),
  month: number(13, 2),
  day: number(32, 2),
  hour: number(25, 2),
  minute: number(60, 2),
  second: number(61, 2),
  fraction,
  offset: fc.oneof(offset, fc.constant('Z')),
})

function year(value: number) {
  return { value, text: digits(value, 4) }
}

type Written = typeof written extends fc.Arbitrary<infer Value> ? Value : never

function textOf({ year, month, day, hour, minute, second, fraction, offset }: Written): string {
  const clock = `${hour.text}:${minute.text}:${second.text}${fraction === '' ? '' : `.${fraction}`}`
  return `${year.text}-${month.text}-${day.text}T${clock}${offset}`
}

/** What the fields say by the calendar; null if there is no such time, or none in UTC that can be written. */
function meaningOf({ year, month, day, hour, minute, second, fraction, offset }: Written): Temporal.Instant | null {
  const fields = { year: year.value, month: month.value, day: day.value, hour: hour.value, minute: minute.value }
  try {
    const local = Temporal.PlainDateTime.from({ ...fields, second: second.value }, { overflow: 'reject' })
    const nanoseconds = BigInt(fraction.padEnd(9, '0'))
    const whole = local.toZonedDateTime(offset === 'Z' ? 'UTC' : offset).toInstant()
    const instant = Temporal.Instant.fromEpochNanoseconds(whole.epochNanoseconds + nanoseconds)
    const isWithin = Temporal.Instant.compare(instant, FIRST) >= 0 && Temporal.Instant.compare(instant, AFTER_LAST) < 0
    return isWithin ? instant : null
  } catch {
    return null
  }
}

test('what is taken for an instant is one, and is read back from what is written as the same', () => {
  fc.assert(
    fc.property(written, (fields) => {
      const text = textOf(fields)
      const meant = meaningOf(fields)
      const canonical = canonicalInstant(text)
      const read = isInstant(text) ? Temporal.Instant.from(canonical).epochNanoseconds : null
      expect([text, read]).toEqual([text, meant?.epochNanoseconds ?? null])
      expect(canonicalInstant(canonical)).toBe(canonical)
      expect(read === null ? canonical === text : CANONICAL.test(canonical)).toBe(true)
    }),
    { endOnFailure: true, numRuns: 1000 },
  )
})

test('every instant of the years 0000 to 9999 is taken with every offset', () => {
  const seconds = fc.integer({ min: FIRST.epochMilliseconds / 1000, max: AFTER_LAST.epochMilliseconds / 1000 - 1 })
  fc.assert(
    fc.property(seconds, fraction, offset, (instant, decimals, zone) => {
      const local = Temporal.Instant.fromEpochMilliseconds(instant * 1000)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
      // The year of a local time has four digits, too, or it cannot be written.
      fc.pre(local.year >= 0 && local.year <= 9999)
      const clock = local.toString({ smallestUnit: 'second' })
      const text = `${clock}${decimals === '' ? '' : `.${decimals}`}${zone}`
      expect([text, isInstant(text)]).toEqual([text, true])
      const read = Temporal.Instant.from(canonicalInstant(text))
      expect(read.epochMilliseconds).toBe(instant * 1000 + Number(decimals.padEnd(3, '0').slice(0, 3)))
    }),
    { endOnFailure: true },
  )
})

test.each([
  ['2026-02-30T00:00:00Z', '; there is no day 2026-02-30'],
  ['2026-02-31T10:00:00+01:00', '; there is no day 2026-02-31'],
  ['2025-02-29T00:00:00Z', '; there is no day 2025-02-29'],
  ['2026-13-01T00:00:00Z', '; there is no day 2026-13-01'],
  ['2026-01-01T24:00:00Z', '; there is no time of day 24:00:00'],
  ['2026-12-31T23:59:60Z', '; a leap second (:60) has no place of its own'],
  ['9999-12-31T23:59:59-01:00', '; in UTC it is outside of the years 0000 to 9999'],
  ['0000-01-01T00:00:00+01:00', '; in UTC it is outside of the years 0000 to 9999'],
  ['2026-01-01T00:00:00+24:00', ''],
  ['2026-01-01T00:00Z', ''],
  ['+010000-01-01T00:59:59Z', ''],
  ['yesterday', ''],
])('%s is no instant%s', (text, flaw) => {
  expect(isInstant(text)).toBe(false)
  expect(canonicalInstant(text)).toBe(text)
  expect(instantFlaw(text)).toBe(flaw)
})

test('an instant has no flaw', () => {
  expect(instantFlaw('2024-02-29T23:59:59+14:00')).toBe('')
})
