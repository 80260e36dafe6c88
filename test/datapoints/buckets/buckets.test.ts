import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketEdges } from '../../../src/datapoints/buckets/buckets.ts'
import { checkTimeZone, parseInterval } from '../../../src/datapoints/buckets/calendar.ts'

const HOUR = 3_600_000_000

function micros(text: string): number {
  return Date.parse(text) * 1000
}

function edges(interval: string, timeZone: string, from: string, to: string, limit = 1000): Float64Array {
  return ended(bucketEdges({ interval: parseInterval(interval), timeZone, from: micros(from), to: micros(to), limit }))
}

/** The result of all steps. */
function ended(steps: Generator<void, Float64Array>): Float64Array {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

function texts(list: Float64Array): string[] {
  return Array.from(list, (edge) => new Date(edge / 1000).toISOString().replace('.000Z', 'Z'))
}

function hours(list: Float64Array): number[] {
  return Array.from(list.subarray(1), (edge, index) => (edge - (list[index] ?? 0)) / HOUR)
}

describe('exact intervals', () => {
  it('are counted from 1970 in UTC, and end with the range', () => {
    expect(texts(edges('PT15M', 'UTC', '2026-01-01T00:07:00Z', '2026-01-01T00:40:00Z'))).toStrictEqual([
      '2026-01-01T00:07:00Z',
      '2026-01-01T00:15:00Z',
      '2026-01-01T00:30:00Z',
      '2026-01-01T00:40:00Z',
    ])
  })

  it('fill the range without gap or overlap, and only the ends are cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.nat(10_000),
        fc.integer({ min: 1, max: 10_000 }),
        (step, from, length) => {
          const interval = { text: '', unit: 'microseconds', count: step } as const
          const list = [...ended(bucketEdges({ interval, timeZone: 'UTC', from, to: from + length, limit: 20_000 }))]
          const naive = Array.from({ length: length + 1 }, (_, index) => from + index)
          expect(list).toStrictEqual(naive.filter((at) => at % step === 0 || at === from || at === from + length))
        },
      ),
    )
  })

  it('PT24H is no day', () => {
    expect(hours(edges('PT24H', 'Europe/Berlin', '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z'))).toStrictEqual([
      24, 24, 24,
    ])
  })
})

describe('days have as many hours as their time zone gives them', () => {
  it.each([
    ['Europe/Berlin', '2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', [24, 23, 24]],
    ['Europe/Berlin', '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', [24, 25, 24]],
    ['America/New_York', '2026-03-07T05:00:00Z', '2026-03-10T04:00:00Z', [24, 23, 24]],
    ['America/New_York', '2026-10-31T04:00:00Z', '2026-11-03T05:00:00Z', [24, 25, 24]],
    // Half an hour.
    ['Australia/Lord_Howe', '2026-04-03T13:00:00Z', '2026-04-06T13:30:00Z', [24, 24.5, 24]],
    ['Australia/Lord_Howe', '2026-10-02T13:30:00Z', '2026-10-05T13:00:00Z', [24, 23.5, 24]],
    ['Asia/Kathmandu', '2026-03-27T18:15:00Z', '2026-03-29T18:15:00Z', [24, 24]],
    // Midnight itself is skipped.
    ['Africa/Cairo', '2026-04-22T22:00:00Z', '2026-04-24T21:00:00Z', [24, 23]],
    // 2011-12-30 never was.
    ['Pacific/Apia', '2011-12-29T10:00:00Z', '2012-01-01T10:00:00Z', [24, 24, 24]],
  ])('%s from %s', (timeZone, from, to, expected) => {
    const list = edges('P1D', timeZone, from, to)
    expect(hours(list)).toStrictEqual(expected)
    const midnights = Array.from(list, (edge) => new Date(edge / 1000).toLocaleTimeString('en-GB', { timeZone }))
    expect(new Set(midnights)).toStrictEqual(
      new Set(timeZone === 'Africa/Cairo' ? ['00:00:00', '01:00:00'] : ['00:00:00']),
    )
  })
})

describe('longer units of the calendar', () => {
  it('weeks begin on Monday', () => {
    expect(texts(edges('P1W', 'Europe/Berlin', '2026-03-20T12:00:00Z', '2026-04-01T00:00:00Z'))).toStrictEqual([
      '2026-03-20T12:00:00Z',
      '2026-03-22T23:00:00Z',
      '2026-03-29T22:00:00Z',
      '2026-04-01T00:00:00Z',
    ])
  })

  it('months and years begin on their first day', () => {
    expect(texts(edges('P1M', 'Europe/Berlin', '2026-01-31T23:00:00Z', '2026-04-15T00:00:00Z'))).toStrictEqual([
      '2026-01-31T23:00:00Z',
      '2026-02-28T23:00:00Z',
      '2026-03-31T22:00:00Z',
      '2026-04-15T00:00:00Z',
    ])
    expect(texts(edges('P1Y', 'Asia/Kathmandu', '2024-06-01T00:00:00Z', '2025-06-01T00:00:00Z'))[1]).toBe(
      '2024-12-31T18:15:00Z',
    )
  })

  it.each([
    ['P3M', '2026-07-01T00:00:00Z'],
    ['P2D', '2026-05-19T00:00:00Z'],
    ['P2W', '2026-05-25T00:00:00Z'],
    ['P10Y', '2030-01-01T00:00:00Z'],
  ])('%s goes on at %s wherever the range begins', (interval, next) => {
    for (const from of ['2026-05-17T10:00:00Z', '2026-05-18T11:00:00Z']) {
      const [, edge = Number.NaN] = edges(interval, 'UTC', from, '2040-01-01T00:00:00Z', 10_000)
      expect(new Date(edge / 1000).toISOString()).toBe(next.replace('Z', '.000Z'))
    }
  })

  it('before 1970 too', () => {
    expect(texts(edges('P1M', 'UTC', '1969-11-15T00:00:00Z', '1970-01-15T00:00:00Z')).slice(1, -1)).toStrictEqual([
      '1969-12-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
    ])
  })
})

it('every day of ten years begins at midnight, or after it where it is skipped, and follows the one before', () => {
  for (const timeZone of [
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ]) {
    const list = edges('P1D', timeZone, '2005-01-03T12:00:00Z', '2015-01-03T12:00:00Z', 4000)
    const dates = Array.from(list.subarray(1, -1), (edge) => new Date(edge / 1000).toLocaleString('sv', { timeZone }))
    expect(dates.filter((date) => !date.endsWith(' 00:00:00'))).toStrictEqual(
      timeZone === 'Pacific/Apia' ? ['2010-09-26 01:00:00'] : [],
    )
    expect(new Set(dates).size).toBe(dates.length)
    expect(
      hours(list)
        .slice(1, -1)
        .every((length) => length >= 22.5 && length <= 25),
    ).toBe(true)
  }
})

describe('refused by name', () => {
  it.each([
    ['', 'no ISO 8601 duration'],
    ['hour', 'no ISO 8601 duration'],
    ['PT0S', 'longer than zero'],
    ['-PT1H', 'longer than zero'],
    ['P1DT12H', 'either one calendar unit or a time'],
    ['P1Y6M', 'either one calendar unit or a time'],
    ['PT0.0000005S', 'whole number of microseconds'],
    ['P2000Y', 'a thousand years'],
  ])('the interval %j', (interval, why) => {
    expect(() => parseInterval(interval)).toThrow(why)
  })

  it('a time zone that nobody knows', () => {
    expect(() => checkTimeZone('Mars/Olympus')).toThrow('the time zone "Mars/Olympus" is not known')
  })

  it('a range that ends before it begins', () => {
    expect(() => edges('PT1H', 'UTC', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z')).toThrow(
      '`from` must be before `to`',
    )
  })

  it.each(['PT0.000001S', 'P1D'])('more buckets than the limit, without making them: %s', (interval) => {
    expect(() => edges(interval, 'Europe/Berlin', '1970-01-01T00:00:00Z', '2026-01-02T00:00:00Z')).toThrow(
      'at most 1,000 buckets can be asked for at once',
    )
  })

  it('one more than the limit, and no fewer', () => {
    expect(edges('PT1H', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T05:00:00Z', 5)).toHaveLength(6)
    expect(() => edges('PT1H', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T05:00:01Z', 5)).toThrow('makes 6 buckets')
    expect(edges('P1D', 'UTC', '2026-01-01T00:00:00Z', '2026-01-06T00:00:00Z', 5)).toHaveLength(6)
    expect(() => edges('P1D', 'UTC', '2026-01-01T00:00:00Z', '2026-01-06T00:00:01Z', 5)).toThrow(
      'more buckets than that',
    )
  })
})
