import { Worker } from 'node:worker_threads'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { packSegments } from '../../../src/datapoints/segments/packed-flush.ts'
import { encodeSegment } from '../../../src/datapoints/segments/segment.ts'
import { INT4, INT8, TEXT } from '../../../src/db/columns.ts'
import { DATABASE_SETTING } from '../../../src/db/database-identity.ts'
import { FoldThread } from '../../../src/platform/datapoints/folding/fold-thread.ts'
import { drawTicket, storeFlush } from '../../../src/store/datapoints/arriving/hot-rows.ts'
import { claimSlot } from '../../../src/store/datapoints/arriving/writer-slots.ts'
import { historyOf } from './history.ts'
import { context, database, datapoints, sender, serve, site, useSite } from '../one-site.ts'

// Texts of a megabyte, of which a few hundred fill the memory of a server or a value of the database.

const NOON = 1_760_000_000_000
const MEGABYTE = 1_000_000

useSite({ processes: 1 })
beforeEach(() => database.script('truncate datapoints_hot_damaged'))

function text(index: number, length = MEGABYTE): string {
  return `${index} `.padEnd(length, 'text of a device ')
}

async function notes(): Promise<readonly unknown[]> {
  return (await historyOf(context))['Sensor 0 note'] ?? []
}

/** The number of the series of `note`. */
async function seriesOfNotes(): Promise<number> {
  await datapoints.ingest.add(sender, [site.point('note', 'first', NOON - 1_000)])
  await datapoints.compactor.compact()
  const [row] = await database.rows({ id: INT8 }, 'select max(id) as id from series')
  return row?.id ?? 0
}

/** Writes rows as a process that dies at once, each of so many texts, as earlier releases did. */
async function dieWith(seriesId: number, rows: readonly number[], length = MEGABYTE): Promise<void> {
  const { slot } = await claimSlot(database, crypto.randomUUID())
  let from = 0
  const segments = rows.map((count) => {
    const at = Float64Array.from({ length: count }, (_, index) => (NOON + from + index) * 1_000)
    const values = Array.from(at, (_, index) => text(from + index, length))
    from += count
    return encodeSegment([{ seriesId, kind: 'text', points: { at, generation: 0, values } }])
  })
  const { id: domainId } = context.domain
  const [row] = await database.rows(
    { modelVersion: INT8, identity: TEXT },
    `select model_version as "modelVersion", e'\\n' || node_start() as identity from domain_state where domain_id = $1`,
    [domainId],
  )
  const [identity] = await database.rowsApart({ text: TEXT }, `select current_setting('${DATABASE_SETTING}') as text`)
  const flush = packSegments(segments.map((segment) => ({ ...segment, domainId })))
  const checked = { domainId, modelVersion: 0, identity: '', ...row, accessVersion: null }
  const draw = await storeFlush(
    database,
    { buffer: slot * 2, identity: identity?.text ?? '' },
    { ...flush, domains: [checked], keyed: [], after: await drawTicket(database) },
  )
  expect(draw).toMatchObject({ generation: expect.any(Number) as number })
}

it('a row has 65,536 characters of one series at most, or one text', async () => {
  const sent = Array.from({ length: 100 }, (_, index) => site.point('note', text(index, 10_000), NOON + index))
  await datapoints.ingest.add(sender, [...sent, site.point('note', text(0), NOON + 100)])
  const rows = await database.rows(
    { count: INT4, bytes: INT4 },
    'select count, octet_length(points) as bytes from datapoints_hot order by t0',
  )
  expect(rows.at(-1)).toStrictEqual({ count: 1, bytes: expect.closeTo(MEGABYTE, -2) as number })
  expect(rows.slice(0, -1).every(({ count, bytes }) => count <= 6 && bytes < 65_700)).toBe(true)
  await datapoints.compactor.compact()
  expect(await notes()).toHaveLength(101)
})

it('a flush has eight million characters at most, and a short batch goes ahead of those that wait', async () => {
  const order: string[] = []
  const long = Array.from({ length: 12 }, async (_, index) => {
    const elements = Array.from({ length: 3 }, (_text, at) => site.point('note', text(at), NOON + index * 10 + at))
    await datapoints.ingest.add(sender, elements)
    order.push('long')
  })
  await datapoints.ingest.add(sender, [site.point('temperature', 1, NOON)])
  order.push('short')
  await Promise.all(long)
  expect(order.indexOf('short')).toBeLessThan(6)
  const flushes = await database.rows(
    { bytes: INT8 },
    'select sum(octet_length(points))::int8 as bytes from datapoints_hot group by generation',
  )
  expect(flushes.length).toBeGreaterThanOrEqual(5)
  expect(Math.max(...flushes.map(({ bytes }) => bytes))).toBeLessThan(9 * MEGABYTE)
})

it('a buffer is folded when it has many bytes, some of them at a time, and new batches wait for it', async () => {
  const small = serve({ limits: { foldAtBytes: 4 * MEGABYTE, mostHotBytes: 30 * MEGABYTE } })
  const send = (from: number) =>
    small.ingest.add(
      sender,
      Array.from({ length: 5 }, (_, index) => site.point('note', text(index), NOON + from + index)),
    )
  await send(0)
  await small.compactor.tick()
  expect(small.load).toMatchObject({ hot: 0, hotBytes: 0 })
  for (let batch = 1; batch <= 6; batch++) await send(batch * 5)
  await expect(send(100)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await small.compactor.tick()
  await send(100)
  await small.close()
  expect(await notes()).toHaveLength(40)
})

it('rows that are too long for the memory of a server are taken over in slices', async () => {
  const series = await seriesOfNotes()
  await dieWith(series, [20, 3, 18])
  await datapoints.takeOver()
  const found = await notes()
  expect(found).toHaveLength(42)
  expect(found.at(-1)).toStrictEqual([(NOON + 40) * 1_000, text(40)])
  expect(await database.statement('select generation from datapoints_hot')).toStrictEqual([])
  const [longest] = await database.rows(
    { bytes: INT4 },
    'select max(octet_length(points)) as bytes from datapoint_chunks',
  )
  expect(longest?.bytes).toBeLessThan(2 * MEGABYTE)
})

it('so is a single text that is longer than a slice', async () => {
  await dieWith(await seriesOfNotes(), [1], 20 * MEGABYTE)
  await datapoints.takeOver()
  expect((await notes()).at(-1)).toStrictEqual([NOON * 1_000, text(0, 20 * MEGABYTE)])
})

it('a flush of an earlier release with more bytes than are folded at once is folded in parts', async () => {
  await dieWith(
    await seriesOfNotes(),
    Array.from({ length: 90 }, () => 40),
    10_000,
  )
  await datapoints.takeOver()
  expect(await notes()).toHaveLength(3_601)
})

it.each([
  ['that is short', 1],
  ['that is read in slices', 20],
])('a damaged row %s is kept and counted, and all others are folded', async (_, count) => {
  const series = await seriesOfNotes()
  await dieWith(series, [2, count, 2])
  const at = (NOON + 2) * 1_000
  await database.statement(
    `update datapoints_hot set points = substring(points for octet_length(points) - 10) where t0 = $1 and count = $2`,
    [at, count],
  )
  await expect(datapoints.takeOver()).rejects.toThrow(
    /^1 row cannot be read and stay.* in the table datapoints_hot_damaged/,
  )
  await datapoints.takeOver()
  const noted = await database.statement('select from domains_of_buffers where buffer = -1')
  expect(noted).toHaveLength(1)
  await datapoints.tidy()
  expect(datapoints.load.damagedRows).toBe(1)
  expect(await database.statement('select t0 from datapoints_hot')).toStrictEqual([{ t0: at }])
  // That of this process.
  expect(await database.statement('select slot from writer_slots')).toHaveLength(1)
  await database.statement('delete from datapoints_hot_damaged')
  expect((await notes()).length).toBeGreaterThanOrEqual(5)
  await datapoints.tidy()
  expect(datapoints.load.damagedRows).toBe(0)
})

it('a server that ends says which rows of its buffers are damaged, and releases its slot', async () => {
  await datapoints.ingest.add(sender, [site.point('note', 'kept', NOON)])
  await database.script('create temporary table unknown as select * from datapoints_hot')
  await datapoints.compactor.compact()
  await database.script(`insert into datapoints_hot select * from unknown; update datapoints_hot set points = ''`)
  await expect(datapoints.compactor.end()).rejects.toThrow(/^1 row cannot be read/)
  expect(await database.statement('select slot from writer_slots')).toStrictEqual([])
})

it('what a process cannot read in its memory is folded from the table', async () => {
  await datapoints.ingest.add(sender, [site.point('note', 'kept', NOON)])
  const { flushes } = FoldThread.prototype
  const spy = vi.spyOn(FoldThread.prototype, 'flushes').mockImplementationOnce(async function (this: FoldThread) {
    return {
      ...(await flushes.call(this, { flushes: [], arrivedAt: 0, arePart: false, raised: 0 })),
      damaged: [{ index: 0, reason: 'a bit has changed' }],
    }
  })
  await datapoints.compactor.compact()
  expect(spy).toHaveBeenCalledTimes(2)
  spy.mockRestore()
  expect(await notes()).toStrictEqual([[NOON * 1_000, 'kept']])
})

it('the thread that folds gives its memory back when it rests, and another one folds what comes then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = vi.spyOn(Worker.prototype, 'terminate')
  onTestFinished(() => ended.mockRestore())
  for (const round of [1, 2]) {
    await datapoints.ingest.add(sender, [site.point('note', 'kept', NOON + round)])
    await datapoints.compactor.compact()
    vi.advanceTimersByTime(29_000)
    expect(ended).toHaveBeenCalledTimes(round - 1)
    vi.advanceTimersByTime(1_000)
    expect(ended).toHaveBeenCalledTimes(round)
  }
  expect(await notes()).toHaveLength(2)
})

async function merge(): Promise<boolean> {
  // The present and the next month have a partition, too.
  for (let month = 0; month < 3; month++) await datapoints.merger.sweep()
  return datapoints.merger.merge(Number.MAX_SAFE_INTEGER)
}

const left = async () =>
  (await database.rows({ rows: INT4 }, 'select count(*)::integer as rows from datapoint_chunks where span = 0'))[0]
    ?.rows

it('chunks of long texts that compress well are merged some at a time, and once', async () => {
  for (let index = 0; index < 12; index++) {
    await datapoints.ingest.add(sender, [site.point('note', text(index), NOON + index)])
    await datapoints.compactor.compact()
  }
  expect(await merge()).toBe(false)
  // As an earlier release left them.
  await database.statement('update datapoint_chunks set span = 0')
  expect(await merge()).toBe(true)
  expect(await left()).toSatisfy((rows: number) => rows > 0 && rows < 12)
  while (await merge()) continue
  expect(await left()).toBeLessThan(2)
  expect(await notes()).toHaveLength(12)
})
