import { expect, it } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import type { Sql } from '../../../src/db/sql.ts'
import { findMisfits } from '../../../src/platform/datapoints/redefining/find-misfits.ts'

const MIDNIGHT = Date.UTC(2026, 2, 28)
const HEAT = { dataType: 'FLOAT' }
const hourAt = (hour: number) => (MIDNIGHT + hour * 3_600_000) * 1000
const NOTHING_FOLDED: Sql = {
  query: () => Promise.resolve([]),
  rows: () => Promise.resolve([]),
  limit: () => Promise.resolve(),
  setLocal: () => Promise.resolve(),
  lockAfter: () => Promise.resolve(),
}

/** What is found among points of two days, of which each is given by its hour and its value. */
function misfitsOf(points: readonly (readonly [number, number])[], enough: number, sinceHour = 0) {
  const origin = {
    key: 'heat',
    characteristicUuid: 'c',
    seriesId: 1,
    kind: 'float' as const,
    systemUuid: 's',
    componentUuid: 'k',
    erased: null,
  }
  const parts = points
    .toSorted(([a], [b]) => a - b)
    .map(([hour, value]) => ({ at: Float64Array.of(hourAt(hour)), generation: 1, values: Float64Array.of(value) }))
  const hot = { origins: [origin], points: new Map([[1, parts]]) }
  const redefinition = { before: compileRules(HEAT), after: compileRules({ ...HEAT, boundaryMax: 20 }) }
  const looking = { hot, enough, earliestOf: () => hourAt(sinceHour), left: undefined }
  return findMisfits(NOTHING_FOLDED, 1, [{ key: 'heat', redefinition, mayRefuse: true }], looking)
}

it.each<[string, Parameters<typeof misfitsOf>, object]>([
  ['all is read', [[[1, 30]], 1], { points: 1, isIncomplete: false }],
  [
    'more is left',
    // It is asked after some hundred values whether that is enough.
    [Array.from({ length: 501 }, (_, hour) => [hour, 30] as const), 1],
    { points: 500, isIncomplete: true },
  ],
  [
    'some is kept no more',
    [
      [
        [1, 30],
        [2, 30],
        [3, 30],
        [25, 30],
      ],
      2,
      3,
    ],
    { points: 2, isIncomplete: false },
  ],
  [
    'what is left is kept no more',
    [
      [
        [25, 30],
        [1, 30],
      ],
      1,
      25,
    ],
    { points: 1, isIncomplete: false },
  ],
])('misfits are all of them, or at least so many, where %s', async (_, given, expected) => {
  expect((await misfitsOf(...given)).get('heat')?.misfits).toMatchObject(expected)
})
