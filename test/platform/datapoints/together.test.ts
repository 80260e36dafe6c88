import { expect, it } from 'vitest'
import { BYTEA } from '../../../src/db/columns.ts'
import type { Database } from '../../../src/db/sql.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import type { Datapoints, DatapointLimits } from '../../../src/platform/datapoints/datapoints.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { emptyDomain, makeDomain, plan } from '../../support/domain.ts'
import { makeSite, SITE_MODEL } from '../../support/site.ts'
import { historyOf } from './history.ts'
import { context, databases, sender, senderOf, serve, site, useSite } from '../one-site.ts'

// Several server processes on one PostgreSQL; here each is a Datapoints with connections of its own.

const NOON = 1_760_000_000_000
const AT_ONCE: Partial<DatapointLimits> = { deadAfterSeconds: 0 }

useSite({ processes: 3, isAlone: false, limits: { leastOfChunk: 1 } })

const startProcess = (index: number, limits: Partial<DatapointLimits> = {}) =>
  serve({ database: databases[index] as Database, limits })

async function send(to: Datapoints, from: number, count: number, value = 1): Promise<void> {
  const elements = Array.from({ length: count }, (_, index) => site.point('temperature', value, NOON + from + index))
  expect(await to.ingest.add(sender, elements)).toMatchObject({ stored: count, errorCount: 0 })
}

async function temperatures(): Promise<readonly (readonly [number, unknown])[]> {
  return (await historyOf(context))['Sensor 0 temperature'] ?? []
}

it('two processes take in and fold at the same time, and the last write wins across both', async () => {
  const [one, other] = [startProcess(0), startProcess(1)]
  for (let round = 0; round < 10; round++) {
    await Promise.all([send(one, round * 100, 100, round), send(other, 5_000 + round * 100, 100, round)])
    await Promise.all([one.compactor.compact(), round % 2 === 0 ? other.compactor.compact() : undefined])
  }
  await send(one, 0, 50, 100)
  await send(other, 0, 25, 200)
  await one.compactor.compact()
  const found = await temperatures()
  expect(found).toHaveLength(2_000)
  expect(found.slice(0, 60).map(([, value]) => value)).toStrictEqual([
    ...Array.from({ length: 25 }, () => 200),
    ...Array.from({ length: 25 }, () => 100),
    ...Array.from({ length: 10 }, () => 0),
  ])
})

it(
  'reading while others write and fold never misses or doubles a point, and never sees half a batch',
  { timeout: 180_000 },
  async () => {
    const writers = [startProcess(0), startProcess(1)]
    let acknowledged = 0
    const writing = new AbortController()
    const { signal } = writing
    const write = async (writer: Datapoints, index: number) => {
      for (let round = 0; round < 60; round++) {
        await send(writer, (index * 60 + round) * 10, 10, round)
        acknowledged += 10
      }
    }
    const fold = async (writer: Datapoints) => {
      while (!signal.aborted) {
        await writer.compactor.compact()
        await writer.blockMerger.merge(Number.MAX_SAFE_INTEGER)
        await writer.merger.merge(Number.MAX_SAFE_INTEGER)
        // Where there is nothing to do nothing was waited for.
        await new Promise(setImmediate)
      }
    }
    const read = async () => {
      let reads = 0
      while (!signal.aborted) {
        const before = acknowledged
        const times = (await temperatures()).map(([at]) => at)
        expect(times.length).toBeGreaterThanOrEqual(before)
        expect(new Set(times).size).toBe(times.length)
        expect(times.length % 10).toBe(0)
        reads += 1
      }
      return reads
    }
    const others = [...writers.map(fold), read(), read()]
    await Promise.all(writers.map(write)).finally(() => writing.abort())
    const [, , reads] = await Promise.all(others)
    expect(reads).toBeGreaterThan(3)
    expect(await temperatures()).toHaveLength(1_200)
  },
)

it('a plan that data stops is stopped whichever process has the data, and however lately it came', async () => {
  const [one, other] = [startProcess(0), startProcess(1)]
  const narrowed = SITE_MODEL.characteristics.map((body) =>
    body.code === 'temperature' ? { ...body, boundaryMax: 20 } : body,
  )
  const document = { ...SITE_MODEL, characteristics: narrowed }
  await send(one, 0, 10, 20)
  const reviewed = await plan(context, document)
  expect(reviewed.outcome).toBe('changes')
  const elsewhere = { ...context, database: databases[2] as Database }
  const apply = () => applyImport(elsewhere, { document, settings: NO_SETTINGS, plan: reviewed, origin: {} })
  const blocked = { code: 'BLOCKED', details: [{ code: 'invalidates-data' }] }
  await send(other, 5, 1, 21)
  await expect(apply()).rejects.toMatchObject(blocked)
  await Promise.all([one.compactor.compact(), other.compactor.compact()])
  await expect(apply()).rejects.toMatchObject(blocked)
  // Set right: the same point, written over in the other process.
  await send(one, 5, 1, 19)
  await expect(apply()).resolves.toMatchObject({ recorded: true })
})

it('what a dead process left is read at once, and folded by another one', async () => {
  const [dead, living] = [startProcess(0), startProcess(1, AT_ONCE)]
  await send(dead, 0, 100)
  await dead.compactor.compact()
  await send(dead, 50, 100, 2)
  await send(living, 120, 10, 3)
  const before = await temperatures()
  await living.takeOver()
  await living.takeOver()
  expect(await temperatures()).toStrictEqual(before)
  expect(before).toHaveLength(150)
  const [row] = await context.database.statement(
    `select count(*) as slots, (select count(*) from pg_class where relname ~ '^datapoints_hot_[0-9]') as buffers from writer_slots`,
  )
  expect(row).toStrictEqual({ slots: 1, buffers: 2 })
})

it('a process that was only silent loses nothing, and goes on in another place', async () => {
  const [silent, other] = [startProcess(0), startProcess(1, AT_ONCE)]
  await send(silent, 0, 10)
  await other.takeOver()
  await send(silent, 10, 10)
  await silent.compactor.compact()
  await send(silent, 20, 10)
  await other.takeOver()
  await silent.compactor.compact()
  await send(silent, 30, 10)
  expect(await temperatures()).toHaveLength(40)
})

it('a process that died before the clock of the database went back is dead as soon as any other', async () => {
  const dead = startProcess(0)
  await send(dead, 0, 10)
  await context.database.statement(`update writer_slots set heartbeat_at = heartbeat_at + interval '1 hour'`)
  const heir = startProcess(1, AT_ONCE)
  await heir.takeOver()
  await heir.takeOver()
  expect(await context.database.statement('select slot from writer_slots')).toStrictEqual([])
  expect(await temperatures()).toHaveLength(10)
})

it('several processes that find the same dead one fold it once', async () => {
  const dead = startProcess(0)
  await send(dead, 0, 200)
  const heirs = [startProcess(1, AT_ONCE), startProcess(2, AT_ONCE)]
  await Promise.all(heirs.map((heir) => heir.takeOver()))
  expect(await temperatures()).toHaveLength(200)
})

it('a process that ends in good order leaves nothing behind', async () => {
  const one = startProcess(0)
  await send(one, 0, 100)
  await one.close()
  const [row] = await context.database.statement(
    `select (select count(*) from writer_slots) as slots, (select count(*) from datapoints_hot) as hot, (select count(*) from datapoint_blocks) as blocks`,
  )
  expect(row).toStrictEqual({ slots: 0, hot: 0, blocks: 1 })
})

async function countRows(): Promise<object | undefined> {
  const [row] = await context.database.statement(
    `select (select count(*) from datapoint_blocks) as blocks, (select count(*) from datapoint_chunks) as chunks`,
  )
  return row
}

it('many rows of blocks become one of the next level, and leave as one chunk for each series', async () => {
  const one = startProcess(0)
  for (let round = 0; round < 32; round++) {
    await send(one, round * 60_000, round === 31 ? 1 : 2)
    await one.compactor.compact()
    expect(await countRows()).toStrictEqual({ blocks: round + 1, chunks: 0 })
  }
  const before = await temperatures()
  expect(await one.blockMerger.merge(0)).toBe(true)
  expect(await countRows()).toStrictEqual({ blocks: 1, chunks: 0 })
  expect(await one.blockMerger.merge(0)).toBe(false)
  expect(await temperatures()).toStrictEqual(before)
  // A day later all of them are old.
  expect(await one.blockMerger.merge(Date.now() * 1_000 + 2 * 86_400_000_000)).toBe(true)
  expect(await countRows()).toStrictEqual({ blocks: 0, chunks: 1 })
  expect(await temperatures()).toStrictEqual(before)
})

it('two that merge the same block at the same time lose and double nothing', async () => {
  const [one, other] = [startProcess(0), startProcess(1)]
  for (let round = 0; round < 20; round++) {
    await send(one, round * 60_000, 20, round)
    await send(other, round * 60_000 + 10, 20, round)
    await Promise.all([one.compactor.compact(), other.compactor.compact()])
  }
  const before = await temperatures()
  expect(before).toHaveLength(600)
  await Promise.all([one.blockMerger.sweep(), other.blockMerger.sweep()])
  await Promise.all([one.blockMerger.merge(0), other.blockMerger.merge(0), one.blockMerger.merge(2 ** 52)])
  expect(await temperatures()).toStrictEqual(before)
})

const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000)

it('a block that is damaged stops no other work, and is tried again later', async () => {
  const one = startProcess(0)
  for (const from of [0, 10]) {
    await send(one, from, 2)
    await one.compactor.compact()
    await one.blockMerger.merge(Number.MAX_SAFE_INTEGER)
  }
  const other = await makeDomain(databases[0] as Database, 'other')
  await emptyDomain(other)
  const otherSite = await makeSite(other)
  await send(one, 20, 1)
  await one.ingest.add(senderOf(other), [otherSite.point('temperature', 1, NOON)])
  await one.compactor.compact()
  expect(await countRows()).toStrictEqual({ blocks: 2, chunks: 2 })
  const ofDomain = `where domain_id = ${context.domain.id}`
  const [row] = await context.database.rows({ points: BYTEA }, `select points from datapoint_blocks ${ofDomain}`)
  await context.database.script(`update datapoint_blocks set points = '' ${ofDomain}`)
  const later = serve({ now: inTwoDays })
  await later.tidy()
  await expect(later.merge()).rejects.toThrow(`of domain ${context.domain.id} could not be merged`)
  // The other domain's point has left, and the small chunks of the day are one, joined or not.
  expect(await countRows()).toStrictEqual({ blocks: 1, chunks: 2 })
  await later.merge()
  await context.database.statement(`update datapoint_blocks set points = $1 ${ofDomain}`, [row?.points ?? null])
  for (let turn = 0; turn < 3; turn++) await later.merge()
  expect(await countRows()).toMatchObject({ blocks: 0 })
  expect(await temperatures()).toHaveLength(5)
  await emptyDomain(other)
})
