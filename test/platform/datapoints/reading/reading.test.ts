import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../../src/datapoints/buckets/aggregate.ts'
import { cellAt, type Columns } from '../../../../src/datapoints/chunks/point-columns.ts'
import type { PointOrder } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import { readBuckets, type BucketQuery } from '../../../../src/platform/datapoints/reading/forms/read-buckets.ts'
import { cursorOfPoint, readPage } from '../../../../src/platform/datapoints/reading/forms/read-page.ts'
import { readCurve } from '../../../../src/platform/datapoints/reading/forms/read-curve.ts'
import { readStates } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { columnsOf, someColumns } from '../../../datapoints/some-columns.ts'
import { oneSeries } from './memory-reader.ts'

const RANGE = { from: 0, to: 1000 }

async function readAll(columns: Columns, order: PointOrder, first: number): Promise<unknown[]> {
  const [reader, series] = oneSeries(columns)
  const points: unknown[] = []
  for (let after: string | null = null; ;) {
    const page = await readPage(reader, series, { ...RANGE, order, first, after })
    points.push(...page.points)
    const last = page.points.at(-1)
    if (!page.hasNextPage || last === undefined) return points
    expect(page.points).toHaveLength(first)
    after = cursorOfPoint(last.at)
  }
}

describe('pages', () => {
  it('give every point once, in both orders, whatever their length', async () => {
    await fc.assert(
      fc.asyncProperty(someColumns('integer', 1000), fc.integer({ min: 1, max: 50 }), async (columns, first) => {
        const all = Array.from(columns.at, (at, index) => ({ at, value: cellAt(columns.values, index) }))
        expect(await readAll(columns, 'oldest first', first)).toStrictEqual(all)
        expect(await readAll(columns, 'newest first', first)).toStrictEqual(all.toReversed())
      }),
    )
  })

  it('have nothing of what lies outside of the range', async () => {
    const [reader, series] = oneSeries(
      columnsOf([
        [9, 1],
        [10, 2],
        [19, 3],
        [20, 4],
      ]),
    )
    const page = await readPage(reader, series, { from: 10, to: 20, order: 'newest first', first: 10 })
    expect(page).toStrictEqual({
      points: [
        { at: 19, value: 3 },
        { at: 10, value: 2 },
      ],
      hasNextPage: false,
    })
  })

  it.each(['', 'x', 'YXQ6MTIzeA', cursorOfPoint(5).slice(1)])('refuse the cursor %j, which is none', async (after) => {
    const [reader, series] = oneSeries(columnsOf([]))
    await expect(readPage(reader, series, { ...RANGE, order: 'oldest first', first: 1, after })).rejects.toThrow(
      'not a cursor',
    )
  })

  it('refuse more points than the limit by its name', async () => {
    const [reader, series] = oneSeries(columnsOf([]))
    const page = readPage(reader, series, { ...RANGE, order: 'oldest first', first: 100_001 })
    await expect(page).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'first must be a whole number from 1 to 100,000, but is 100001',
    })
  })
})

describe('buckets', () => {
  const QUERY: BucketQuery = {
    ...RANGE,
    interval: 'PT0.0001S',
    timeZone: 'UTC',
    aggregations: ['avg', 'timeWeightedAvg', 'delta'],
    fill: 'null',
    now: Infinity,
  }

  it('are those of the points that lie in the range, and of the value before it', async () => {
    await fc.assert(
      fc.asyncProperty(someColumns('float', 1200), async (columns) => {
        const [reader, series] = oneSeries(columns)
        const query = { ...QUERY, from: 150, to: 850 }
        const place = columns.at.filter((at) => at < 150).length - 1
        const before = place < 0 ? undefined : { at: columns.at[place] ?? 0, value: cellAt(columns.values, place) }
        const edges = Float64Array.of(150, 200, 300, 400, 500, 600, 700, 800, 850)
        const { cells } = aggregate(columns, { edges, aggregations: query.aggregations, before })
        const buckets = await readBuckets(reader, series, query)
        expect(buckets.map(({ from }) => from)).toStrictEqual([...edges.subarray(0, -1)])
        for (const name of query.aggregations) {
          expect(buckets.map((bucket) => bucket.cells[name])).toStrictEqual(cells[name])
        }
      }),
    )
  })

  it('are not made of what no figure can be made of', async () => {
    const [reader, series] = oneSeries({ at: Float64Array.of(), values: [] })
    await expect(readBuckets(reader, series, QUERY)).rejects.toThrow(
      'avg, timeWeightedAvg, delta cannot be made of text values',
    )
  })
})

describe('curves', () => {
  it('keep 64 bits and both ends', async () => {
    const at = Float64Array.from({ length: 100 }, (_, index) => index)
    const values = BigInt64Array.from({ length: 100 }, (_, index) => 2n ** 62n + BigInt(index))
    for (const thinning of ['shape', 'extremes'] as const) {
      const curve = await readCurve(...oneSeries({ at, values }), { ...RANGE, maxPoints: 10, thinning })
      expect(curve?.at.length).toBeLessThanOrEqual(10)
      expect([curve?.values[0], curve?.values.at(-1)]).toStrictEqual([2n ** 62n, 2n ** 62n + 99n])
    }
  })

  it('are nothing where there is nothing', async () => {
    expect(await readCurve(...oneSeries(columnsOf([])), { ...RANGE, maxPoints: 10, thinning: 'shape' })).toBeUndefined()
  })

  it('are not made of states', async () => {
    const states = oneSeries({ at: Float64Array.of(1), values: Uint8Array.of(1) })
    await expect(readCurve(...states, { ...RANGE, maxPoints: 10, thinning: 'shape' })).rejects.toThrow(
      'a curve needs numbers',
    )
  })
})

it('states begin with the one before the range', async () => {
  const switched = oneSeries({ at: Float64Array.of(5, 40), values: Uint8Array.of(1, 0) })
  expect(await readStates(...switched, { from: 10, to: 100, maxPoints: 10 })).toStrictEqual({
    states: [
      { from: 10, to: 40, value: true, count: 0 },
      { from: 40, to: 100, value: false, count: 1 },
    ],
    isMerged: false,
  })
  expect(await readStates(...switched, { from: 10, to: 100, maxPoints: 1 })).toMatchObject({ isMerged: true })
})
