import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Aggregator, type Aggregation } from '../../../src/datapoints/buckets/aggregate.ts'
import { ExactSum } from '../../../src/datapoints/chunks/exact-sum.ts'
import type { ChunkValues } from '../../../src/datapoints/codec/chunk-values.ts'
import { sliceColumns, type Cell, type Columns } from '../../../src/datapoints/chunks/point-columns.ts'
import { summarize, type Summary } from '../../../src/datapoints/chunks/summary.ts'
import type { ValueKind } from '../../../src/records/values/value.ts'
import { runsOf } from '../../support/runs.ts'
import { nearestTo } from '../doubles.ts'
import { mergeSummaries } from './merge-summaries.ts'

const double = fc.oneof(
  fc.integer({ min: -500, max: 500 }).map((whole) => whole / 10),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
)
const wide = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -9n, max: 9n }))
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'on', 'x'.repeat(257)))

type Made = Columns & { readonly values: ChunkValues }

function columnsOf<T>(value: fc.Arbitrary<T>, make: (values: T[]) => ChunkValues): fc.Arbitrary<Made> {
  const later = fc.oneof(fc.integer({ min: 1, max: 2 ** 40 }), fc.constant(60_000_000))
  return fc.array(fc.tuple(later, value), { minLength: 1, maxLength: 50 }).map((points) => {
    let at = 1_760_000_000_000_000
    return { at: Float64Array.from(points, ([step]) => (at += step)), values: make(points.map((point) => point[1])) }
  })
}

const KINDS: readonly (readonly [ValueKind, fc.Arbitrary<Made>, readonly Aggregation[]])[] = [
  ['float', columnsOf(double, (values) => Float64Array.from(values)), ['min', 'max', 'avg', 'sum', 'first', 'last']],
  ['integer', columnsOf(wide, (values) => BigInt64Array.from(values)), ['min', 'max', 'avg', 'sum', 'first', 'last']],
  ['boolean', columnsOf(fc.constantFrom(0, 1), (values) => Uint8Array.from(values)), ['first', 'last']],
  ['text', columnsOf(text, (values) => values), ['first', 'last']],
]

/** What a bucket of all points says. */
function bucketOf(columns: Columns, kind: ValueKind, aggregations: readonly Aggregation[]) {
  const aggregator = new Aggregator({
    kind,
    edges: Float64Array.of(0, 2 ** 52),
    aggregations: [...aggregations, 'count'],
  })
  aggregator.add(columns)
  return Object.fromEntries(Object.entries(aggregator.finish().cells).map(([name, cells]) => [name, cells[0]]))
}

/** The same of a summary. */
function figuresOf(summary: Summary): Partial<Record<Aggregation, Cell>> {
  const { count, first, last } = summary
  const ends = { count, first: first.value, last: last.value }
  if (summary.kind === 'boolean' || summary.kind === 'text') return ends
  const extremes = { min: summary.least.value, max: summary.most.value }
  if (summary.kind === 'integer')
    return { ...ends, ...extremes, sum: summary.sum, avg: nearestTo(summary.sum, BigInt(count)) }
  const sum = new ExactSum()
  for (const part of summary.sum) sum.add(part)
  return { ...ends, ...extremes, sum: sum.total(), avg: sum.mean(count) }
}

function part(columns: Made, start: number, end: number): Made {
  const { at, values } = sliceColumns(columns, start, end)
  return { at, values: Array.isArray(values) ? values : (values as ChunkValues) }
}

const runs = { numRuns: runsOf('LAW_RUNS', { sample: 150, long: 2_000 }) }

describe.each(KINDS)('the summary of %s values', (kind, columns, aggregations) => {
  it('says what a bucket of all points says', () => {
    fc.assert(
      fc.property(columns, (all) => {
        const shown = Object.entries(bucketOf(all, kind, aggregations)).map(([name, cell]) => [
          name,
          typeof cell === 'string' && cell.length > 256 ? null : cell,
        ])
        expect(figuresOf(summarize(all, kind))).toStrictEqual(Object.fromEntries(shown))
      }),
      runs,
    )
  })

  it('is that of its parts, however they are cut', () => {
    fc.assert(
      fc.property(columns, fc.array(fc.nat(50), { maxLength: 6 }), (all, cuts) => {
        const edges = [...new Set([0, ...cuts.filter((cut) => cut < all.at.length), all.at.length])].sort(
          (a, b) => a - b,
        )
        const parts = edges.slice(1).map((end, index) => summarize(part(all, edges[index] ?? 0, end), kind))
        expect(parts.reduce(mergeSummaries)).toStrictEqual(summarize(all, kind))
      }),
      runs,
    )
  })
})

const minutes = Float64Array.from({ length: 60 }, (_, index) => 1_760_000_000_000_000 + index * 60_000_000)

it('the times of extremes are the first with that value', () => {
  const values = Float64Array.from(minutes, (_, index) => [3, 1, 5, 1, 5, 3][index % 6] ?? 0)
  const summary = summarize({ at: minutes, values }, 'float')
  expect(summary).toMatchObject({ least: { at: minutes[1], value: 1 }, most: { at: minutes[2], value: 5 } })
  const later = summarize({ at: minutes.map((at) => at + 3_600_000_000), values }, 'float')
  expect(mergeSummaries(summary, later)).toMatchObject({
    count: 120,
    least: { at: minutes[1] },
    most: { at: minutes[2] },
  })
})

it('whole numbers may come as doubles', () => {
  const values = Float64Array.of(2 ** 53 - 1, -1, 2 ** 53 - 1)
  expect(summarize({ at: Float64Array.of(1, 2, 3), values }, 'integer')).toMatchObject({
    sum: 2n ** 54n - 3n,
    least: { at: 2, value: -1n },
  })
})

it('there is nothing to sum up without a point', () => {
  expect(() => summarize({ at: new Float64Array(), values: new Float64Array() }, 'float')).toThrow('without a point')
})
