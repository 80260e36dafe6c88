import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readTimestamp, readTimestampText, timestampLimits } from '../../../src/datapoints/wire/timestamp.ts'
import { isViolation } from '../../../src/records/values/violation.ts'
import { WireTime } from '../../../src/records/values/wire-time.ts'

const wide = { earliest: -Infinity, latest: Infinity }

function answerTo(value: unknown, limits = wide): number | string {
  const answer = readTimestamp(value, limits)
  return isViolation(answer) ? answer.code : answer
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** Date.parse knows whole milliseconds of valid date-times; the rest is added here. */
function reference(date: string, clock: string, digits: string, zone: string): number | string {
  const milliseconds = Date.parse(`${date}T${clock}${zone.toUpperCase()}`)
  const isDay = !Number.isNaN(Date.parse(date)) && new Date(Date.parse(date)).toISOString().startsWith(date)
  if (Number.isNaN(milliseconds) || !isDay || clock.startsWith('24') || clock.endsWith('60')) return 'timestamp-format'
  return milliseconds * 1000 + Number(digits.slice(0, 6).padEnd(6, '0')) + (/^[5-9]/.test(digits.slice(6)) ? 1 : 0)
}

const parts = fc.record({
  year: fc.integer({ min: 1700, max: 2250 }),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
  hour: fc.integer({ min: 0, max: 25 }),
  minute: fc.integer({ min: 0, max: 61 }),
  second: fc.integer({ min: 0, max: 61 }),
  digits: fc.stringMatching(/^\d{0,6}0{0,3}\d?$/),
  zone: fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:45', '-09:30', '+23:59', '-23:00'),
  separator: fc.constantFrom('T', 't', ' '),
})

test('date-times mean what Date and whole numbers say', () => {
  fc.assert(
    fc.property(parts, ({ year, month, day, hour, minute, second, digits, zone, separator }) => {
      const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
      const clock = `${pad(hour)}:${pad(minute)}:${pad(second)}`
      const text = `${date}${separator}${clock}${digits === '' ? '' : `.${digits}`}${zone}`
      expect(answerTo(text)).toBe(reference(date, clock, digits, zone))
    }),
    { numRuns: 3000 },
  )
})

test('every day of eight centuries is where Date has it', () => {
  const wrong: string[] = []
  for (let at = Date.UTC(1600, 0, 1); at < Date.UTC(2400, 0, 1); at += 86_400_000) {
    const text = new Date(at).toISOString()
    if (readTimestamp(text, wide) !== at * 1000) wrong.push(text)
  }
  expect(wrong).toStrictEqual([])
})

test('whatever is sent as a timestamp gets an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything({ withBigInt: true }), fc.stringMatching(/^[-\d:.TtZz+ ]*$/)), (value) => {
      const answer = readTimestamp(value, timestampLimits(0))
      expect(isViolation(answer) || Number.isSafeInteger(answer)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

describe('a timestamp', () => {
  it.each([
    ['2024-02-29T23:59:59.999999Z', Date.UTC(2024, 1, 29, 23, 59, 59) * 1000 + 999_999],
    ['2026-01-31t06:30:00z', Date.UTC(2026, 0, 31, 6, 30) * 1000],
    ['2026-01-31T06:30:00.123456000000-01:30', Date.UTC(2026, 0, 31, 8) * 1000 + 123_456],
    [1_769_841_000_123, 1_769_841_000_123_000],
    [1_769_841_000_123n, 1_769_841_000_123_000],
    [new WireTime(5, 250_001_000), 5_250_001],
    [new WireTime(-1, 0), -1_000_000],
  ])('%s', (value, microseconds) => {
    expect(answerTo(value)).toBe(microseconds)
  })

  it.each([
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-31T06:30:00',
    '2026-01-31T06:30:00.Z',
    '2026-01-31T06:30:00,5Z',
    '2026-01-31T06:30:00+0100',
    '2026-01-31T06:30:00+01',
    '2026-01-31T06:30:00Z ',
    '2026-01-31',
    '+002026-01-31T06:30:00Z',
    '12026-01-31T06:30:00Z',
    '1769841000123',
    '',
    1.5,
    Number.NaN,
    Infinity,
    true,
    {},
    undefined,
    { seconds: 1, nanoseconds: 0 },
  ])('%j is none', (value) => {
    expect(answerTo(value)).toBe('timestamp-format')
  })

  it('says what can be given, and what is wrong with a date-time', () => {
    const dateTime = 'the timestamp must be a date-time with offset such as 2026-01-31T06:30:00.250Z'
    expect(readTimestamp('2026-02-30T00:00:00Z', wide)).toMatchObject({
      detail: `${dateTime}, or whole milliseconds since 1970, but is "2026-02-30T00:00:00Z"; there is no day 2026-02-30`,
    })
    expect(readTimestampText('1772352000000', wide)).toStrictEqual({
      code: 'timestamp-format',
      detail: `${dateTime}, but is "1772352000000"`,
    })
  })

  it('only a date-time is told about leap seconds', () => {
    expect(readTimestamp('2026-12-31T23:59:60Z', wide)).toMatchObject({
      detail: expect.stringContaining('leap second'),
    })
    expect(readTimestamp('unknown-cfbdfdb8-602d', wide)).not.toMatchObject({ detail: expect.stringContaining('leap') })
  })

  it('finer than a microsecond is rounded to the nearest one', () => {
    const second = Date.UTC(2026, 0, 31, 6, 30) * 1000
    expect(answerTo('2026-01-31T06:30:00.1234567Z')).toBe(second + 123_457)
    expect(answerTo('2026-01-31T06:30:00.1234564999Z')).toBe(second + 123_456)
    expect(answerTo('2026-01-31T06:30:00.9999995+00:00')).toBe(second + 1_000_000)
    expect(answerTo(new WireTime(5, 1_499))).toBe(5_000_001)
    expect(answerTo(new WireTime(5, 999_999_999))).toBe(6_000_000)
  })

  it.each([1_767_225_600, 1_767_225_600n, 1_767_225_600.25, 0, -0, 99_999_999_999])(
    '%s is in seconds, which is said',
    (value) => {
      expect(answerTo(value)).toBe('timestamp-unit')
    },
  )

  it('in seconds is shown as what it is', () => {
    expect(readTimestamp(1_767_225_600, timestampLimits(0))).toMatchObject({
      detail: expect.stringContaining(
        'seconds since 1970 (2026-01-01T00:00:00.000Z); milliseconds are needed',
      ) as string,
    })
  })

  it.each([1_767_225_600_000_000, 1_767_225_600_000_000_000n, 1e300])('%s is in another unit', (value) => {
    expect(answerTo(value)).toBe('timestamp-unit')
  })

  it('null is refused', () => {
    expect(answerTo(null)).toBe('null-value')
  })
})

describe('the limits', () => {
  const now = Date.UTC(2026, 0, 31) * 1000
  const limits = timestampLimits(now)

  it('reach from 1970 to ten minutes ahead, both included', () => {
    expect(answerTo('1970-01-01T00:00:00Z', limits)).toBe(0)
    expect(answerTo('2026-01-31T00:10:00Z', limits)).toBe(now + 600_000_000)
    expect(answerTo('2026-01-31T00:10:00.000001Z', limits)).toBe('timestamp-ahead')
    expect(answerTo('1969-12-31T23:59:59.999999Z', limits)).toBe('timestamp-too-old')
  })

  it.each(['9999-12-31T23:59:59Z', 1e14, new WireTime(2 ** 62, 0)])('refuse %s, far ahead', (value) => {
    expect(answerTo(value, limits)).toBe('timestamp-ahead')
  })

  it.each(['0000-01-01T00:00:00Z', -1, -1e300, new WireTime(-(2 ** 62), 0)])('refuse %s, long ago', (value) => {
    expect(answerTo(value, limits)).toBe('timestamp-too-old')
  })

  it('are named', () => {
    expect(readTimestamp('2027-01-01T00:00:00Z', limits)).toStrictEqual({
      code: 'timestamp-ahead',
      detail:
        'the timestamp is after 2026-01-31T00:10:00.000Z, the latest accepted time; check the clock and the unit (milliseconds)',
    })
  })
})
