import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickColumns } from '../../src/datapoints/chunks/columns.ts'
import { envelope, lttb as lttbSteps, shape } from '../../src/datapoints/buckets/thinning.ts'
import { columnsOf, someColumns } from './some-columns.ts'

/** All steps at once. */
function done<Result>(steps: Iterator<unknown, Result, undefined>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const lttb = (...given: Parameters<typeof lttbSteps>) => done(lttbSteps(...given))

const SOME_CURVE = someColumns('float', 10_000, 200)
const SOME_LIMIT = fc.integer({ min: 4, max: 220 })

describe.each([
  ['lttb', lttb],
  ['envelope', envelope],
])('%s', (_, thin) => {
  it('keeps both ends, in order, and no more points than asked for', () => {
    fc.assert(
      fc.property(SOME_CURVE, SOME_LIMIT, ({ at, values }, limit) => {
        const places = [...thin(at, values as Float64Array, limit)]
        expect(places.length).toBeLessThanOrEqual(Math.min(limit, at.length))
        expect(places).toStrictEqual([...new Set(places)].sort((a, b) => a - b))
        expect([places[0], places.at(-1)]).toStrictEqual(at.length === 0 ? [undefined, undefined] : [0, at.length - 1])
      }),
    )
  })

  it('leaves few points as they are', () => {
    fc.assert(
      fc.property(SOME_CURVE, ({ at, values }) => {
        expect([...thin(at, values as Float64Array, 200)]).toStrictEqual([...at.keys()])
      }),
    )
  })

  it('is not confused by the largest and smallest doubles', () => {
    const values = Float64Array.of(0, 1e308, -1e308, 5e-324, 1.7e308, -1.7e308, 0, 0)
    const places = thin(Float64Array.from(values.keys()), values, 6)
    expect(places.length).toBeGreaterThanOrEqual(4)
    expect([...places]).toContain(4)
  })
})

it('lttb gives exactly as many points as asked for', () => {
  fc.assert(
    fc.property(SOME_CURVE, SOME_LIMIT, ({ at, values }, limit) => {
      expect(lttb(at, values as Float64Array, limit)).toHaveLength(Math.min(limit, at.length))
    }),
  )
})

it('lttb chooses the largest triangle, as the naive way does', () => {
  fc.assert(
    fc.property(SOME_CURVE, SOME_LIMIT, ({ at, values }, limit) => {
      fc.pre(limit < at.length)
      const [x, y] = [Array.from(at), Array.from(values as Float64Array)]
      const area = naiveAreas(x, y, limit)
      const places = lttb(at, values as Float64Array, limit)
      places.subarray(1, -1).forEach((place, bucket) => {
        const { chosen, best } = area(bucket, places[bucket] ?? 0, place)
        expect(chosen).toBeGreaterThanOrEqual(best * (1 - 1e-9) - 1e-6)
      })
    }),
  )
})

function mean(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length
}

/** Chapter 4.2 of the thesis: bucket after bucket, the triangle with the point before and the mean of the next bucket. */
function naiveAreas(x: readonly number[], y: readonly number[], limit: number) {
  const edge = (bucket: number): number => 1 + Math.floor((bucket * (x.length - 2)) / (limit - 2))
  return (bucket: number, before: number, place: number) => {
    const next = bucket === limit - 3 ? [x.length - 1, x.length] : [edge(bucket + 1), edge(bucket + 2)]
    const [nextX, nextY] = [mean(x.slice(...next)), mean(y.slice(...next))]
    const areaOf = (index: number): number =>
      Math.abs(
        ((x[before] ?? 0) - nextX) * ((y[index] ?? 0) - (y[before] ?? 0)) -
          ((x[before] ?? 0) - (x[index] ?? 0)) * (nextY - (y[before] ?? 0)),
      )
    const candidates = x.map((_, index) => index).slice(edge(bucket), edge(bucket + 1))
    expect(candidates).toContain(place)
    return { chosen: areaOf(place), best: Math.max(...candidates.map(areaOf)) }
  }
}

it('an envelope never loses an extreme', () => {
  fc.assert(
    fc.property(SOME_CURVE, SOME_LIMIT, (columns, limit) => {
      fc.pre(columns.at.length > 0)
      const kept = pickColumns(columns, envelope(columns.at, columns.values as Float64Array, limit))
        .values as Float64Array
      const all = columns.values as Float64Array
      expect([Math.min(...kept), Math.max(...kept)]).toStrictEqual([Math.min(...all), Math.max(...all)])
    }),
  )
})

it('an envelope shows a spike in each stretch of time', () => {
  const { at, values } = columnsOf(Array.from({ length: 1000 }, (_, index) => [index, index % 100 === 50 ? 9 : 0]))
  const kept = [...envelope(at, values as Float64Array, 50)].filter((place) => values[place] === 9)
  expect(kept).toHaveLength(10)
})

it.each([
  [
    'an envelope',
    (at: Float64Array, numbers: Float64Array, exact: BigInt64Array) => envelope(at, numbers, 4, undefined, exact),
  ],
  ['a shape', (at: Float64Array, numbers: Float64Array, exact: BigInt64Array) => done(shape(at, numbers, 4, exact))],
])('%s has the extremes of whole numbers that are one double', (_, thin) => {
  const around = 2n ** 62n
  const some = fc.array(fc.bigInt({ min: around - 600n, max: around + 600n }), { minLength: 5, maxLength: 40 })
  fc.assert(
    fc.property(some, fc.boolean(), (values, isNegative) => {
      const exact = BigInt64Array.from(values, (value) => (isNegative ? -value : value))
      const kept = thin(Float64Array.from(exact.keys()), Float64Array.from(exact, Number), exact)
      const inOrder = exact.toSorted()
      const keptInOrder = BigInt64Array.from(kept, (place) => exact[place] ?? 0n).sort()
      expect([keptInOrder[0], keptInOrder.at(-1)]).toStrictEqual([inOrder[0], inOrder.at(-1)])
    }),
  )
})
