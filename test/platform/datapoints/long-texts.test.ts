import { expect, it } from 'vitest'
import { ENOUGH_BYTES, SMALL } from '../../../src/datapoints/chunks/pack-series.ts'
import { microsecondsOf } from '../../../src/datapoints/wire/timestamp.ts'
import { INT4, INT8, TEXT } from '../../../src/db/columns.ts'
import { historyOf } from './history.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

// Few points with long texts fill chunks and blocks as many numbers do.

const DAY = 86_400_000
const BEGIN = Date.UTC(2026, 0, 1)
const NOW = new Date(BEGIN + 40 * DAY)
const SENSORS = 50

useSite({ processes: 1, components: SENSORS, now: () => NOW, isAlone: false, limits: { leastOfChunk: 1 } })

async function send(elements: readonly unknown[]): Promise<void> {
  expect(await datapoints.ingest.add(sender, elements)).toMatchObject({ stored: elements.length, errors: [] })
  await datapoints.compactor.compact()
}

async function leave(): Promise<void> {
  while (await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function join(now: number): Promise<void> {
  await datapoints.joiner.sweep(now)
  while (await datapoints.joiner.join(now)) continue
}

/** Where the chunks are in the table, which is another place when they were taken and put back. */
async function places(): Promise<string[]> {
  const rows = await database.rows({ ctid: TEXT }, `select ctid::text as ctid from datapoint_chunks order by t0`)
  return rows.map(({ ctid }) => ctid)
}

const random = (index: number): string =>
  Array.from({ length: 28 }, (_, part) => crypto.randomUUID() + String(index + part)).join('')
const repetitive = (index: number): string => `${index} ${'again and again '.repeat(64)}`

it.each([
  ['that hardly compress', random],
  ['that compress well', repetitive],
])('chunks of a few long texts %s are merged and joined once at most', async (_, text) => {
  for (let day = 0; day < 9; day++) {
    const minutes = Array.from({ length: 1_200 }, (_minute, minute) => minute)
    await send(minutes.map((minute) => site.point('note', text(minute), BEGIN + day * DAY + minute * 60_000)))
    await leave()
  }
  let turns = 0
  while ((await datapoints.merger.merge(microsecondsOf(NOW))) && turns < 10) turns += 1
  expect(turns).toBeLessThan(5)
  const before = await historyOf(context)
  // The month goes on.
  await join((BEGIN + 11 * DAY) * 1_000)
  const once = await places()
  for (const day of [12, 13]) await join((BEGIN + day * DAY) * 1_000)
  expect(await places()).toStrictEqual(once)
  expect(await historyOf(context)).toStrictEqual(before)
})

it('many series with long texts are joined some at a time', async () => {
  const texts = Array.from({ length: 30 }, (_, minute) => random(minute))
  for (let day = 0; day < 10; day++) {
    for (let sensor = 0; sensor < SENSORS; sensor += 10)
      await send(
        Array.from({ length: 300 }, (_, index) => {
          const [minute, one] = [index % 30, sensor + Math.floor(index / 30)]
          return site.point('note', texts[minute], BEGIN + day * DAY + minute * 60_000, one)
        }),
      )
    await leave()
  }
  await datapoints.joiner.sweep(microsecondsOf(NOW))
  // More than 8 MiB of one month.
  expect(await datapoints.joiner.join(microsecondsOf(NOW))).toBe(true)
  await join(microsecondsOf(NOW))
  const [row] = await database.rows(
    { points: INT8, days: INT8 },
    `select sum(count) as points, max(t1 / 86400000000 - t0 / 86400000000) as days from datapoint_chunks`,
  )
  expect(row).toStrictEqual({ points: 10 * 30 * SENSORS, days: 7 })
})

const rows = () =>
  database.rows({ bytes: INT4 }, `select octet_length(points) as bytes from datapoint_blocks order by 1`)

it('rows of blocks stay small, are merged by their bytes, and so many at a time as fit into memory', async () => {
  // All series are in one block.
  await database.script(`select setval('series_ids', 256000)`)
  const sendOf = (round: number, length: number) =>
    send(
      Array.from({ length: SENSORS }, (_, sensor) =>
        site.point('note', 'text'.repeat(length / 4), BEGIN + round, sensor),
      ),
    )
  await sendOf(0, 60_000)
  expect(await rows()).toStrictEqual([{ bytes: expect.toSatisfy(isAboutOneMegabyte) as number }])
  await leave()
  expect([await rows(), (await places()).length]).toStrictEqual([[], SENSORS])
  for (let round = 1; round <= 20; round++) await sendOf(round, 20_000)
  expect(await rows()).toHaveLength(20)
  expect(await datapoints.blockMerger.merge(0)).toBe(true)
  // 17 of them are 16 MiB, of which every series has enough for chunks.
  expect(await rows()).toHaveLength(3)
  await leave()
  expect(await rows()).toStrictEqual([])
  expect(Object.values(await historyOf(context)).map(({ length }) => length)).toStrictEqual(
    Array.from({ length: SENSORS }, () => 21),
  )
})

function isAboutOneMegabyte(bytes: number): boolean {
  return bytes > 900_000 && bytes < 1_200_000
}

it('the index of what is to be joined has the numbers by which a chunk is small', async () => {
  const [index] = await database.rows(
    { text: TEXT },
    `select indexdef as text from pg_indexes where indexname = 'datapoint_chunks_unjoined'`,
  )
  expect(index?.text).toContain(`((span = 0) AND (count < ${SMALL}) AND (octet_length(points) < ${ENOUGH_BYTES}))`)
})
