import { describe, expect, it } from 'vitest'
import { aggregate, type Aggregation } from '../../../src/datapoints/buckets/aggregate.ts'
import type { Before, Columns } from '../../../src/datapoints/chunks/point-columns.ts'
import { fillBuckets, type Fill } from '../../../src/datapoints/buckets/fill.ts'
import { columnsOf } from '../some-columns.ts'

const EDGES = Float64Array.of(0, 10, 20, 40, 50, 60)
/** Nothing in the first bucket, the third and the last. */
const POINTS = columnsOf([
  [10, 1],
  [15, 3],
  [40, 8],
])

function column(fill: Fill, aggregation: Aggregation, before?: Before, columns: Columns = POINTS) {
  const aggregated = aggregate(columns, { edges: EDGES, aggregations: [aggregation], before })
  return fillBuckets(aggregated, fill, before).map(({ cells }) => cells[aggregation])
}

it('none: buckets without a figure are left out', () => {
  const buckets = fillBuckets(aggregate(POINTS, { edges: EDGES, aggregations: ['max'] }), 'none')
  expect(buckets).toStrictEqual([
    { from: 10, to: 20, count: 2, cells: { max: 3 } },
    { from: 40, to: 50, count: 1, cells: { max: 8 } },
  ])
})

it('none: a value that holds is a figure', () => {
  expect(column('none', 'timeWeightedAvg')).toStrictEqual([2, 3, 8, 8])
})

it('null: every bucket is there', () => {
  expect(column('null', 'avg')).toStrictEqual([null, 2, null, 8, null])
})

it('previous: the figure before it, or the value before the range', () => {
  expect(column('previous', 'avg')).toStrictEqual([null, 2, 2, 8, 8])
  expect(column('previous', 'avg', { at: -1, value: 7 })).toStrictEqual([7, 2, 2, 8, 8])
})

it('linear: on a line between the beginnings of both sides, and nothing beyond them', () => {
  expect(column('linear', 'avg')).toStrictEqual([null, 2, 4, 8, null])
})

it.each(['null', 'previous', 'linear'] as const)('%s: what happened in a time is not taken over', (fill) => {
  expect(column(fill, 'count')).toStrictEqual([0, 2, 0, 1, 0])
  expect(column(fill, 'sum')).toStrictEqual([null, 4, null, 8, null])
  expect(column(fill, 'delta')).toStrictEqual([null, 2, null, 5, null])
  expect(column(fill, 'changes')).toStrictEqual([0, 1, 0, 1, 0])
})

it('previous: a share of the time is a number, also of a truth value before the range', () => {
  const truths: Columns = { at: new Float64Array(), values: new Uint8Array() }
  expect(column('previous', 'timeWeightedAvg', { at: 70, value: true }, truths)).toStrictEqual([1, 1, 1, 1, 1])
  expect(column('previous', 'last', { at: 70, value: true }, truths)).toStrictEqual([true, true, true, true, true])
})

describe('values that have no line between them', () => {
  const texts: Columns = { at: Float64Array.of(10, 40), values: ['open', 'shut'] }

  it('are taken over', () => {
    expect(column('previous', 'last', undefined, texts)).toStrictEqual([null, 'open', 'open', 'shut', 'shut'])
  })

  it('are refused a line', () => {
    expect(() => column('linear', 'last', undefined, texts)).toThrow(
      'the values of last are not numbers, so linear cannot fill them',
    )
  })
})

it('64 bits stay exact where nothing is filled in', () => {
  const columns: Columns = { at: Float64Array.of(0, 20), values: BigInt64Array.of(2n ** 62n + 1n, 3n) }
  expect(column('previous', 'max', undefined, columns)).toStrictEqual([2n ** 62n + 1n, 2n ** 62n + 1n, 3n, 3n, 3n])
})
