import { expect, it } from 'vitest'
import { encodeSegment } from '../../../../src/datapoints/segments/segment.ts'
import type { Sql } from '../../../../src/db/sql.ts'
import { findLatestPoints } from '../../../../src/platform/datapoints/reading/stored/find-latest-points.ts'
import { NEWEST_ROWS } from '../../../../src/platform/datapoints/reading/stored/latest-in-blocks.ts'
import { encodeBlockRows, insertBlocks } from '../../../../src/store/datapoints/packed/blocks.ts'
import { preferOrderOfIndex } from '../../../../src/store/datapoints/points/points.ts'
import { readDomain } from '../../../../src/store/domains.ts'
import { isObject } from '../../../../src/lib/json.ts'
import { oneDomain } from '../../one-domain.ts'

// Series that send seldom are in blocks with series that send often. A thousand such blocks have a gigabyte of points.

const context = oneDomain()
const [BLOCKS, ROWS] = [3, 9]
const SILENT = Array.from({ length: BLOCKS }, (_, index) => (index + 1) * 256)
const SECOND = 1_000_000
const BEGIN = 1_700_000_000 * SECOND

/** A block for each silent series. Each neighbour has points in every row, and the silent series one in the oldest row. */
async function fill(pointsOfRow: number): Promise<void> {
  const { database, domain } = context()
  const rows = SILENT.flatMap((silent) =>
    Array.from({ length: ROWS }, (_, row) => {
      const from = BEGIN + row * pointsOfRow * SECOND
      const neighbours = Array.from({ length: 255 }, (__, index) =>
        partOf(silent + 1 + index, from, pointsOfRow, row + 1),
      )
      const parts = row === 0 ? [partOf(silent, from, 1, 1), ...neighbours] : neighbours
      const place = { domainId: domain.id, block: silent / 256, generation: row + 1, level: 0, arrivedAt: from }
      return { ...encodeSegment(parts), ...place }
    }),
  )
  await database.transaction((sql) => insertBlocks(sql, encodeBlockRows(rows)))
}

function partOf(seriesId: number, from: number, count: number, generation: number) {
  const at = Float64Array.from({ length: count }, (_, index) => from + index * SECOND)
  return { seriesId, kind: 'float' as const, points: { at, generation, values: at.map((time) => Math.sin(time)) } }
}

/** The last points of series, and the number of rows with points that each statement has read. */
async function latest(ids: readonly number[]) {
  const { database, domain } = context()
  const read: number[] = []
  const found = await readDomain(database, domain.id, async (sql) => {
    await preferOrderOfIndex(sql)
    const rows: Sql['rows'] = async (shape, text, values) => {
      const answer = await sql.rows(shape, text, values)
      read.push(answer.filter((row) => isObject(row) && row['points'] instanceof Uint8Array).length)
      return answer
    }
    const series = ids.map((seriesId) => ({ seriesId, kind: 'float' as const }))
    return findLatestPoints({ ...sql, rows }, domain.id, series, { before: Number.MAX_SAFE_INTEGER, hot: new Map() })
  })
  return { found, read: read.filter((count) => count > 0), statements: read.length }
}

it('the last points of silent series are found without the points of their neighbours', async () => {
  await fill(2)
  const { found, read } = await latest(SILENT)
  expect(found).toStrictEqual(new Map(SILENT.map((id) => [id, { at: BEGIN, value: Math.sin(BEGIN) }])))
  expect(read).toStrictEqual([BLOCKS * NEWEST_ROWS, BLOCKS])
})

it('long rows are not among the newest rows that are read together', async () => {
  await fill(16)
  const busy = SILENT.map((id) => id + 7)
  const { found, read } = await latest([...SILENT, ...busy])
  const last = BEGIN + (ROWS * 16 - 1) * SECOND
  expect(found).toStrictEqual(
    new Map([
      ...SILENT.map((id) => [id, { at: BEGIN, value: Math.sin(BEGIN) }] as const),
      ...busy.map((id) => [id, { at: last, value: Math.sin(last) }] as const),
    ]),
  )
  expect(read).toStrictEqual([2 * BLOCKS])
  // Chunks are not looked up before these rows are read, because that would happen twice.
  expect(await latest(busy)).toMatchObject({ read: [BLOCKS], statements: 5 })
})
