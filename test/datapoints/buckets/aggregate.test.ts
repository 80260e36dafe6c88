import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregate, Aggregator, AGGREGATIONS, type Aggregation } from '../../../src/datapoints/buckets/aggregate.ts'
import { sliceColumns, type Before, type Cell } from '../../../src/datapoints/chunks/point-columns.ts'
import { naiveFigure } from '../naive-aggregates.ts'
import { columnsOf, someColumns } from '../some-columns.ts'

const UNTIL = 1000
const SOME_EDGES = fc
  .uniqueArray(fc.integer({ min: 0, max: UNTIL }), { minLength: 2, maxLength: 12 })
  .map((edges) => Float64Array.from(edges).sort())

const POSSIBLE = {
  float: AGGREGATIONS,
  integer: AGGREGATIONS,
  boolean: ['timeWeightedAvg', 'count', 'first', 'last', 'changes'],
  text: ['count', 'first', 'last', 'changes'],
} as const satisfies { [kind: string]: readonly Aggregation[] }

const EARLIER = { float: 2.5, integer: -7n, boolean: true, text: 'on' }

function close(actual: Cell, expected: Cell, size: number): boolean {
  if (typeof expected !== 'number' || typeof actual !== 'number') return Object.is(actual, expected)
  return actual === expected || Math.abs(actual - expected) <= size * 1e-12
}

describe.each(['float', 'integer', 'boolean', 'text'] as const)('%s values', (kind) => {
  const aggregations = POSSIBLE[kind]
  const someBefore = fc.option(fc.constant<Before>({ at: -5, value: EARLIER[kind] }), { nil: undefined })

  it('every figure is what it is called', () => {
    fc.assert(
      fc.property(someColumns(kind, UNTIL), SOME_EDGES, someBefore, (columns, edges, before) => {
        // What lies before the first edge is not part of the range.
        const known = {
          ...columns,
          ...sliceColumns(columns, columns.at.filter((at) => at < (edges[0] ?? 0)).length, columns.at.length),
        }
        const { cells } = aggregate(columns, { edges, aggregations, before })
        for (const aggregation of aggregations) {
          // Doubles are added in another order than the naive one. Figures of whole numbers are rounded once.
          const size = kind === 'integer' ? 0 : 2 ** 20
          const expected = Array.from(edges.subarray(1), (to, index) =>
            naiveFigure(aggregation, known, [edges[index] ?? 0, to], before),
          )
          cells[aggregation]?.forEach((cell, index) =>
            expect(
              close(cell, expected[index] ?? null, size),
              `${aggregation} ${index}: ${cell} ${expected[index]}`,
            ).toBe(true),
          )
          expect(cells[aggregation]).toHaveLength(expected.length)
        }
      }),
    )
  })

  it('make the same figures wherever the series is cut', () => {
    fc.assert(
      fc.property(
        someColumns(kind, UNTIL),
        SOME_EDGES,
        someBefore,
        fc.array(fc.nat(40)),
        (columns, edges, before, cuts) => {
          const aggregator = new Aggregator({ kind, edges, aggregations, before })
          const places = [
            0,
            ...cuts.map((cut) => Math.min(cut, columns.at.length)).sort((a, b) => a - b),
            columns.at.length,
          ]
          for (const [index, place] of places.entries()) {
            aggregator.add(sliceColumns(columns, places[index - 1] ?? 0, place))
          }
          expect(aggregator.finish()).toStrictEqual(aggregate(columns, { edges, aggregations, before }))
        },
      ),
    )
  })

  it('the buckets count every point of the range once', () => {
    fc.assert(
      fc.property(someColumns(kind, UNTIL), SOME_EDGES, (columns, edges) => {
        const { counts } = aggregate(columns, { edges, aggregations: ['count'] })
        const inside = columns.at.filter((at) => at >= (edges[0] ?? 0) && at < (edges.at(-1) ?? 0))
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(inside.length)
      }),
    )
  })
})

it('the deltas of a meter add up to what it counted, to the last unit', () => {
  fc.assert(
    fc.property(someColumns('integer', UNTIL), SOME_EDGES, (columns, edges) => {
      const range = { at: columns.at.filter((at) => at >= (edges[0] ?? 0) && at < (edges.at(-1) ?? 0)) }
      fc.pre(range.at.length > 0)
      const before: Before = { at: -1, value: 41n }
      const { cells } = aggregate(columns, { edges, aggregations: ['delta'], before })
      const [last] = (aggregate(columns, {
        edges: Float64Array.of(edges[0] ?? 0, edges.at(-1) ?? 0),
        aggregations: ['last'],
      }).cells.last ?? []) as bigint[]
      expect(cells.delta?.reduce((sum: bigint, cell) => sum + ((cell as bigint | null) ?? 0n), 0n)).toBe(
        (last ?? 0n) - 41n,
      )
    }),
  )
})

describe('over time', () => {
  const edges = Float64Array.of(0, 100, 200)

  it('a value holds until the next one, into buckets without any', () => {
    const { cells, counts } = aggregate(columnsOf([[50, 10]]), {
      edges,
      aggregations: ['timeWeightedAvg'],
      before: { at: -9, value: 20 },
    })
    expect(cells.timeWeightedAvg).toStrictEqual([15, 10])
    expect(counts).toStrictEqual([1, 0])
  })

  it('the time before the first known value does not count', () => {
    expect(
      aggregate(columnsOf([[150, 10]]), { edges, aggregations: ['timeWeightedAvg'] }).cells.timeWeightedAvg,
    ).toStrictEqual([null, 10])
  })

  it('nobody knows the value of tomorrow', () => {
    const wanted = { edges, aggregations: ['timeWeightedAvg'], knownUntil: 80 } as const
    expect(
      aggregate(
        columnsOf([
          [20, 1],
          [60, 4],
        ]),
        wanted,
      ).cells.timeWeightedAvg,
    ).toStrictEqual([2, null])
  })

  it('a boolean gives the share of the time that it was true', () => {
    const columns = { at: Float64Array.of(25, 150), values: Uint8Array.of(1, 0) }
    expect(
      aggregate(columns, { edges, aggregations: ['timeWeightedAvg', 'changes'], before: { at: -1, value: false } })
        .cells,
    ).toStrictEqual({
      timeWeightedAvg: [0.75, 0.5],
      changes: [1, 1],
    })
  })

  it('a value that never changes is its own mean', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), someColumns('float', UNTIL), (value, { at }) => {
        fc.pre(at.length > 0)
        const columns = { at, values: new Float64Array(at.length).fill(value) }
        expect(
          aggregate(columns, { edges: Float64Array.of(0, UNTIL), aggregations: ['timeWeightedAvg'] }).cells
            .timeWeightedAvg,
        ).toEqual([value + 0])
      }),
    )
  })
})

describe('of very large and very small numbers', () => {
  const edges = Float64Array.of(0, 10)
  const figures = (values: readonly number[]) =>
    aggregate(columnsOf(values.map((value, at) => [at, value])), {
      edges,
      aggregations: ['avg', 'sum', 'median', 'timeWeightedAvg'],
    }).cells

  it('a mean is never outside of its values', () => {
    const most = Number.MAX_VALUE
    expect(figures([most, most])).toStrictEqual({ avg: [most], sum: [null], median: [most], timeWeightedAvg: [most] })
    expect(figures([most, -most, most])).toMatchObject({ sum: [most], median: [most] })
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 10 }),
        (values) => {
          const [low, high] = [Math.min(...values), Math.max(...values)]
          const slack = Math.max(Math.abs(low), Math.abs(high)) * 1e-15
          for (const cell of [figures(values).avg, figures(values).median]) {
            expect(cell?.[0]).toBeGreaterThanOrEqual(low - slack)
            expect(cell?.[0]).toBeLessThanOrEqual(high + slack)
          }
        },
      ),
    )
  })

  it('nothing is lost in a sum', () => {
    expect(figures(Array.from({ length: 10 }, () => 0.1)).sum).toStrictEqual([1])
    expect(figures([1e16, 1, -1e16]).sum).toStrictEqual([1])
    expect(figures([5e-324, 5e-324]).avg).toStrictEqual([5e-324])
  })
})

it.each([
  ['boolean', 'min'],
  ['boolean', 'sum'],
  ['text', 'avg'],
] as const)('%s values have no %s', (kind, aggregation) => {
  expect(() => new Aggregator({ kind, edges: Float64Array.of(0, 1), aggregations: [aggregation] })).toThrow(
    `${aggregation} cannot be made of ${kind} values; possible are`,
  )
})

it.each([
  ['doubles', (values: readonly number[]) => Float64Array.from(values)],
  ['whole numbers', (values: readonly number[]) => BigInt64Array.from(values, (value) => 2n ** 60n + BigInt(value))],
] as const)('the percentiles of more %s than are sorted at once are those of all', (_, make) => {
  const values = make(Array.from({ length: 200_000 }, (__, index) => (index * 7_919) % 50_021))
  const columns = { at: Float64Array.from(values.keys()), values }
  const edges = Float64Array.of(0, values.length)
  const { cells } = aggregate(columns, { edges, aggregations: ['median', 'p95'] })
  for (const name of ['median', 'p95'] as const) {
    const [cell = null] = cells[name] ?? []
    expect(close(cell, naiveFigure(name, columns, [0, values.length]), 100)).toBe(true)
  }
})
