import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { earliestKept, parseKeep } from '../../src/datapoints/retention-time.ts'

const DAY = 86_400_000_000
const NOON = Date.UTC(2026, 4, 31, 12) * 1000

describe('how long points are kept', () => {
  it.each([
    ['P90D', 'P90D'],
    ['P12W', 'P12W'],
    ['P1Y6M', 'P1Y6M'],
    ['P0Y3M', 'P3M'],
    ['p1d', 'P1D'],
  ])('can be %s', (text, kept) => {
    expect(parseKeep(text)).toBe(kept)
  })

  it.each([
    ['', 'no ISO 8601'],
    ['90', 'no ISO 8601'],
    ['P90', 'no ISO 8601'],
    ['PT24H', 'whole days'],
    ['P1DT1S', 'whole days'],
    ['P0D', 'a day at least'],
    ['-P1D', 'a day at least'],
    ['P1.5D', 'no ISO 8601'],
    ['P1001Y', 'a thousand years'],
    ['P99999999D', 'a thousand years'],
    [`P${'9'.repeat(400)}D`, 'cannot be kept'],
  ])('cannot be %j', (text, why) => {
    expect(() => parseKeep(text)).toThrow(why)
  })

  it.each([
    ['P1D', '2026-05-30'],
    ['P2W', '2026-05-17'],
    // A month before the end of May is the end of April.
    ['P1M', '2026-04-30'],
    ['P1Y', '2025-05-31'],
    ['P900Y', '1970-01-01'],
  ])('%s begins with the day %s', (keep, day) => {
    expect(earliestKept(keep, NOON)).toBe(Date.parse(day) * 1000)
  })

  it('begins with a day, moves on with the days, and is never shorter than it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 4e15 }), (days, now) => {
        const earliest = earliestKept(`P${days}D`, now)
        expect(earliest % DAY).toBe(0)
        expect(earliest).toBeLessThanOrEqual(Math.max(0, now - days * DAY))
        expect(earliest).toBeGreaterThan(now - (days + 1) * DAY)
      }),
    )
  })

  it('is for ever where nothing is said', () => {
    expect(earliestKept(null, NOON)).toBe(0)
  })
})
