import { Temporal } from 'temporal-polyfill'
import { expect, it, vi } from 'vitest'
import { exportBuckets } from '../../../../src/platform/datapoints/export/export-buckets.ts'
import type { SeriesWithPoints } from '../../../../src/platform/datapoints/export/export-points.ts'
import type { PointReader } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'

const DAY = 86_400_000_000
const QUERY = {
  from: 20_000 * DAY,
  to: 20_100 * DAY,
  interval: 'P1D',
  timeZone: 'Europe/Berlin',
  aggregations: ['count'],
  fill: 'none',
  now: 30_000 * DAY,
} as const

const EMPTY: PointReader = {
  async *read() {},
  async *stretches() {},
  latest: () => Promise.resolve(new Map()),
}

/** How often the calendar is asked for a day while the series are exported. */
async function daysAsked(count: number): Promise<number> {
  const asked = vi.spyOn(Temporal.PlainDate.prototype, 'toZonedDateTime')
  try {
    const series = Array.from({ length: count }, (_, id) => ({ id, kind: 'float' }) as SeriesWithPoints)
    let parts = 0
    for await (const { buckets } of exportBuckets(EMPTY, series, { ...QUERY, fill: 'null' })) {
      expect(buckets.length).toBe(101)
      parts += 1
    }
    expect(parts).toBe(count)
    return asked.mock.calls.length
  } finally {
    asked.mockRestore()
  }
}

it('a file asks the calendar once, however many series it has', async () => {
  const ofOne = await daysAsked(1)
  expect(ofOne).toBeGreaterThan(100)
  expect(await daysAsked(5)).toBe(ofOne)
})
