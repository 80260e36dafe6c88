import { expect, it } from 'vitest'
import { AnswerBudget } from '../../../../src/platform/answer-budget.ts'
import { readBuckets } from '../../../../src/platform/datapoints/reading/forms/read-buckets.ts'
import { READING_LIMITS } from '../../../../src/platform/datapoints/reading/reading-limits.ts'
import type { PointReader } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'

const POINTS = 10
const SECOND = 1_000_000

/** Two parts of a series with a point each second. */
const reader: PointReader = {
  async *read() {
    for (const part of [0, 1]) {
      const at = Float64Array.from({ length: POINTS }, (_, index) => (part * POINTS + index) * SECOND)
      yield { seriesId: 1, columns: { at, values: at } }
    }
  },
  async *stretches() {},
  latest: async () => new Map(),
}

function read(interval: string, budget: AnswerBudget) {
  const to = 2 * POINTS * SECOND
  const query = { from: 0, to, interval, timeZone: 'UTC', aggregations: ['median'], fill: 'none', now: to } as const
  return readBuckets(reader, { seriesId: 1, kind: 'float' }, query, budget)
}

it('refuses percentiles of more values than a request may have in memory', async () => {
  const budget = new AnswerBudget()
  budget.held = READING_LIMITS.curve - POINTS
  await expect(read('PT1M', budget)).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringMatching(/^median and p95 .* at most 5,000,000 at once/) as string,
  })
  expect(budget.held).toBe(READING_LIMITS.curve - POINTS)
})

it('counts only the values of the open bucket', async () => {
  const budget = new AnswerBudget()
  budget.held = READING_LIMITS.curve - POINTS
  expect(await read('PT1S', budget)).toHaveLength(2 * POINTS)
  expect(budget.held).toBe(READING_LIMITS.curve - POINTS)
})
