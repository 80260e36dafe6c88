import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newPoints, type PointColumns } from '../../../src/datapoints/chunks/flush.ts'
import { sortPoints } from '../../../src/datapoints/segments/sort-points.ts'
import { runsOf as lawRuns } from '../../support/runs.ts'

type Sent = readonly [series: number, at: number, value: bigint | number | string]

function columnsOf(sent: readonly Sent[]): PointColumns {
  const points = newPoints(sent.length)
  for (const [index, [series, at, value]] of sent.entries()) {
    points.series[index] = series
    points.at[index] = at
    points.kinds[index] = typeof value === 'number' ? 0 : 3
    if (typeof value === 'number') points.values[index] = value
    else points.others.set(index, value)
  }
  return points
}

/** By series and time, of each time the value that was sent last. */
function expected(sent: readonly Sent[]): Sent[] {
  const last = new Map(sent.map((one) => [`${one[0]} ${one[1]}`, one]))
  return [...last.values()].sort(([a, from], [b, to]) => a - b || from - to)
}

function sorted(sent: readonly Sent[]): Sent[] {
  const { series, starts, at, values, others } = sortPoints(columnsOf(sent))
  return [...series].flatMap((id, run) =>
    Array.from({ length: (starts[run + 1] ?? 0) - (starts[run] ?? 0) }, (_, offset): Sent => {
      const place = (starts[run] ?? 0) + offset
      return [id, at[place] ?? 0, others.get(place) ?? values[place] ?? 0]
    }),
  )
}

// What is sent for a series is of one kind.
const sendings = fc
  .array(fc.tuple(fc.nat(12), fc.nat(9), fc.nat(99)), { maxLength: 60 })
  .map((all) => all.map(([series, at, value]): Sent => [series, at, series % 3 === 0 ? `${value}` : value]))

it.each([
  ['neighbours', 1],
  ['strangers', 1_000_003],
])('series that are %s are sorted with their points, the last of each time', (_, apart) => {
  fc.assert(
    fc.property(sendings, (all) => {
      const sent = all.map(([series, at, value]): Sent => [7 + series * apart, at, value])
      expect(sorted(sent)).toStrictEqual(expected(sent))
    }),
    { numRuns: lawRuns('LAW_RUNS', { sample: 50, long: 1_000 }) },
  )
})

it('a series with many points has several runs', () => {
  const sent = Array.from({ length: 1_000 }, (_, index): Sent => [5, 999 - index, index])
  expect(sortPoints(columnsOf(sent)).series).toHaveLength(3)
  expect(sorted(sent)).toStrictEqual(expected(sent))
})
