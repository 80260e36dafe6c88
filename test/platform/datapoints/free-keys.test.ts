import { randomBytes } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import type { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { FoldThread } from '../../../src/platform/datapoints/folding/fold-thread.ts'
import { readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { historyOf } from './history.ts'
import { context, database, datapoints, sender, serve, site, useSite } from '../one-site.ts'

// Rows are merged into one that would get the key of a row that stays, because both have a point of one flush.

const NOON = Date.UTC(2026, 2, 1, 12)
const DAY = 86_400_000
const NOW = NOON + 100 * DAY
const LATER = (NOW + 2 * DAY) * 1_000

useSite({ now: () => new Date(NOW), limits: { leastOfChunk: 1 } })

async function store(server: Datapoints, times: readonly number[]): Promise<void> {
  await server.ingest.add(
    sender,
    times.map((time) => site.point('count', time - NOON, time)),
  )
  await server.compactor.compact()
  await merge(server)
}

async function merge(server: Datapoints): Promise<void> {
  await server.blockMerger.sweep()
  while (await server.blockMerger.merge(LATER)) continue
}

/** Makes a row of a block with the same points. */
async function copyBlockRow(level: number): Promise<void> {
  const columns = 'domain_id, block, generation, t0, t1, count, series, points'
  const copied = `select $1, 0, ${columns} from datapoint_blocks`
  await database.statement(`insert into datapoint_blocks (level, arrived_at, ${columns}) ${copied}`, [level])
}

const counts = async () => ((await historyOf(context))['Sensor 0 count'] ?? []).map(([, value]) => Number(value))

/** Makes a row of the first time and the last flush, as large as it may be, from one that is there. */
async function addChunkThatStays(): Promise<void> {
  const [copied, others] = ['domain_id, series_id', 't1, last_generation, last_whole, summary, points']
  await database.statement(
    `insert into datapoint_chunks (${copied}, t0, generation, count, span, ${others})
     select ${copied}, t0, (select max(generation) from datapoint_chunks), 600, 2, ${others}
     from datapoint_chunks order by t0 limit 1`,
  )
}

const chunks = () => database.statement('select span, count from datapoint_chunks order by count')

it('small chunks of a day are merged beside it', async () => {
  for (const minute of [0, 1, 2]) await store(datapoints, [NOON + minute * 60_000])
  await addChunkThatStays()
  await datapoints.merger.sweep()
  while (await datapoints.merger.merge(LATER)) continue
  expect(await chunks()).toStrictEqual([
    { span: 0, count: 3 },
    { span: 2, count: 600 },
  ])
  expect(await counts()).toStrictEqual([0, 60_000, 120_000])
})

it('small chunks are merged later where the first attempt fails', async () => {
  for (const minute of [0, 1, 2]) await store(datapoints, [NOON + minute * 60_000])
  await datapoints.merger.sweep()
  vi.spyOn(FoldThread.prototype, 'chunks').mockRejectedValueOnce(new Error('the thread has ended'))
  await expect(datapoints.merger.merge(LATER)).rejects.toThrow('the thread has ended')
  expect(await datapoints.merger.merge(LATER)).toBe(true)
  expect(await chunks()).toStrictEqual([{ span: 0, count: 3 }])
})

it('points leave their block beside it', async () => {
  const server = serve({ limits: { leastOfChunk: 600 } })
  await store(server, [NOON, NOON + 60_000])
  await server.close()
  await copyBlockRow(0)
  await merge(datapoints)
  await database.statement('update datapoint_blocks set level = 0, arrived_at = 0')
  await merge(datapoints)
  expect(await chunks()).toStrictEqual([
    { span: 0, count: 2 },
    { span: 0, count: 2 },
  ])
  expect(await counts()).toStrictEqual([0, 60_000])
})

it('rows of a block are merged beside it', async () => {
  const server = serve({ limits: { leastOfChunk: 600 } })
  await store(server, [NOON, NOON + DAY])
  await copyBlockRow(0)
  await merge(server)
  await server.close()
  expect(await database.statement('select level from datapoint_blocks')).toStrictEqual([{ level: 8 }, { level: 8 }])
  expect(await counts()).toStrictEqual([0, DAY])
})

/** A device that sends the log of its day each time from its beginning. A quarter of a line cannot be packed. */
async function sendLog(lines: number, text: string): Promise<void> {
  const random = randomBytes(130).toString('base64')
  const line = (index: number) => `${index} ${text} ${random.slice(index % 90)}`.padEnd(1_000, ' the same words again')
  await datapoints.ingest.add(
    sender,
    Array.from({ length: lines }, (_, index) => site.point('note', line(index), NOON + index * 1_000)),
  )
}

it.each<[string, () => Promise<void>]>([
  ['a fold', () => datapoints.compactor.compact()],
  ['the end of a server', () => datapoints.compactor.end()],
  ['a takeover', () => serve().takeOver()],
])('%s passes a chunk whose generation was raised, and the points of the later flush win', async (_, fold) => {
  for (const [lines, text] of [
    [80, 'first'],
    [300, 'second'],
  ] as const) {
    await sendLog(lines, text)
    await datapoints.compactor.compact()
  }
  await datapoints.merger.sweep()
  await datapoints.merger.merge(LATER)
  for (const text of ['third', 'fourth']) {
    await sendLog(290, text)
    await fold()
  }
  const texts = ((await historyOf(context))['Sensor 0 note'] ?? []).map(([, value]) => String(value).split(' ')[1])
  expect(texts).toStrictEqual(Array.from({ length: 300 }, (_element, index) => (index < 290 ? 'fourth' : 'second')))
})

const long = (text: string) => `${text} ${randomBytes(80_000).toString('base64')}`

it('the latest point of a long chunk is that of the later one of two that begin at one time', async () => {
  for (const text of ['wrong', 'right']) {
    await datapoints.ingest.add(sender, [site.point('note', long(text), NOON)])
    await datapoints.compactor.compact()
  }
  const latest = await readLatest(context, EVERYWHERE, {}, { before: LATER })
  expect(latest.map(({ point }) => String(point?.value).slice(0, 5))).toStrictEqual(['right'])
})
