import { expect, it } from 'vitest'
import { encodeSegment } from '../../../../src/datapoints/segments/segment.ts'
import type { Sql } from '../../../../src/db/sql.ts'
import { countBlockPoints } from '../../../../src/store/datapoints/points/gathered-counts.ts'

/** A database that gives these rows. */
function giving(rows: readonly object[]): Sql {
  return { rows: () => Promise.resolve(rows) } as unknown as Sql
}

it('lets other work run while the directories of a large fleet are counted', async () => {
  const points = { at: Float64Array.of(0, 1), generation: 1, values: Float64Array.of(2, 3) }
  const { series } = encodeSegment(
    Array.from({ length: 256 }, (_, seriesId) => ({ seriesId, kind: 'float' as const, points })),
  )
  const rows = Array.from({ length: 4_000 }, () => ({ first: 0, series, isHot: false }))
  let hasRun = false
  setImmediate(() => (hasRun = true))
  const counts = await countBlockPoints(giving(rows), 1, [{ type: 'characteristics', key: 'level' }])
  expect(counts.get(255)).toStrictEqual({ points: 8_000, hot: 0 })
  expect(hasRun).toBe(true)
})
