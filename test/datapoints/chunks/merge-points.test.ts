import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'
import type { GeneratedColumns } from '../../../src/datapoints/chunks/chunk.ts'
import { joinGenerated, mergePoints } from '../../../src/datapoints/chunks/merge-points.ts'

type Point = readonly [at: number, generation: number, value: number]

function columns(points: readonly Point[]): GeneratedColumns {
  return {
    at: Float64Array.from(points, ([at]) => at),
    generation: Float64Array.from(points, ([, generation]) => generation),
    values: Float64Array.from(points, ([, , value]) => value),
  }
}

function rows({ at, generation, values }: GeneratedColumns): Point[] {
  return Array.from(at, (time, index) => [
    time,
    typeof generation === 'number' ? generation : Number(generation[index]),
    Number(values[index]),
  ])
}

/** One after the other into a map, as anybody would do it. */
function naive(points: readonly Point[]): Point[] {
  const latest = new Map<number, Point>()
  for (const point of points) if (point[1] >= (latest.get(point[0])?.[1] ?? -1)) latest.set(point[0], point)
  return [...latest.values()].toSorted(([a], [b]) => a - b)
}

const points = fc.array(fc.tuple(fc.nat(30), fc.nat(4), fc.integer()), { maxLength: 60 })

test('of each time the last one is kept, in any order', () => {
  fc.assert(
    fc.property(points, (all) => {
      expect(rows(mergePoints(columns(all)))).toStrictEqual(naive(all))
    }),
  )
})

test('of parts that are in order, also where they overlap', () => {
  const parts = fc.array(points, { maxLength: 9 })
  fc.assert(
    fc.property(parts, (unordered) => {
      const sorted = unordered.map((part) => part.toSorted(([a], [b]) => a - b))
      expect(rows(mergePoints(joinGenerated(sorted.map(columns))))).toStrictEqual(naive(sorted.flat()))
    }),
  )
})

it('leaves alone what is in order', () => {
  const ordered = columns([
    [1, 1, 5],
    [2, 1, 6],
  ])
  expect(mergePoints(ordered)).toBe(ordered)
})
