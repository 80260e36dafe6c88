import { expect, it } from 'vitest'
import { encodeSegment } from '../../../../src/datapoints/segments/segment.ts'
import type { Sql } from '../../../../src/db/sql.ts'
import { countBlockPoints, gatheredLines } from '../../../../src/store/datapoints/points/gathered-counts.ts'

const points = { at: Float64Array.of(0, 1), generation: 1, values: Float64Array.of(2, 3) }

/** The directory of a full block whose series have two points each. */
function directoryOf(block: number) {
  const runs = Array.from({ length: 256 }, (_, index) => ({
    seriesId: block * 256 + index,
    kind: 'float' as const,
    points,
  }))
  return { first: block * 256, series: encodeSegment(runs).series }
}

/** A database with rows in some blocks, and the number of rows that each statement returned. */
function havingBlocks(blocks: number, rowsOfBlock: number) {
  const returned: number[] = []
  const known = Array.from({ length: blocks }, (_, block) => directoryOf(block))
  const answer = (text: string, values: readonly unknown[]): readonly object[] =>
    text.includes('datapoint_blocks')
      ? (values[1] as string[]).flatMap((block) =>
          Array.from({ length: rowsOfBlock }, () => known[Number(block)] ?? {}),
        )
      : known.map((_, block) => ({ block }))
  const rows = async (_: unknown, text: string, values: readonly unknown[]) => {
    const found = answer(text, values)
    returned.push(found.length)
    return found
  }
  return { sql: { rows } as unknown as Sql, returned }
}

const KEYS = [{ type: 'characteristics', key: 'level' }] as const

it('lets other work run while the directories of a large fleet are counted', async () => {
  let hasRun = false
  setImmediate(() => (hasRun = true))
  const { blocks } = await countBlockPoints(havingBlocks(1, 4_000).sql, 1, KEYS)
  expect(blocks.map(({ ids, points: own }) => [ids.length, ids[255], own[255]])).toStrictEqual([[256, 255, 8_000]])
  expect(hasRun).toBe(true)
})

it('reads the directories of many blocks in pieces, and each series has one line', async () => {
  const { sql, returned } = havingBlocks(2_500, 2)
  const hot = new Map([
    [7, 3],
    [640_001, 5],
  ])
  const [ids, counts, own] = gatheredLines(await countBlockPoints(sql, 1, KEYS, { hot })).map((text) =>
    text?.split('\n'),
  )
  expect(returned).toStrictEqual([2_500, 2_000, 2_000, 1_000])
  expect([ids?.length, counts?.length, own?.length]).toStrictEqual([640_001, 640_001, 640_001])
  expect([ids?.[7], counts?.[7], own?.[7]]).toStrictEqual(['7', '4', '3'])
  expect([ids?.at(-1), counts?.at(-1), own?.at(-1)]).toStrictEqual(['640001', '0', '5'])
})

it('has no lines if nothing is gathered', async () => {
  for (const { sql } of [havingBlocks(0, 0), havingBlocks(3, 0)])
    expect(gatheredLines(await countBlockPoints(sql, 1, KEYS))).toStrictEqual([null, null, null])
  expect(gatheredLines(null)).toStrictEqual([null, null, null])
})
