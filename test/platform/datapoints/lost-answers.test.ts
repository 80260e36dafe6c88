import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { IngestResult } from '../../../src/platform/datapoints/ingest/sent-batch.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { historyOf } from './history.ts'

// What a process knows of the database may be wrong where answers do not arrive, or come late.

const NOON = 1_760_000_000_000

let place: PostgresDatabase
let database: Database
let context: DomainContext
let site: Site
let datapoints: Datapoints
/** Loses answers of flushes and transactions that are committed, or keeps a flush back until `late` is called. */
let fault: 'flush' | 'note' | 'transaction' | 'late flush' | null
let late: () => Promise<unknown>

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  database = await openPostgres(place.url, { maxConnections: 4, lockMs: 100 })
})
beforeEach(async () => {
  context = await makeDomain(database)
  await emptyDomain(context)
  site = await makeSite(context)
  fault = null
  datapoints = new Datapoints({ ...context, database: faultyDatabase(), isAlone: true })
})
afterEach(() => datapoints.close())
afterAll(async () => {
  await database.close()
  await place.drop()
})

function faultyDatabase(): Database {
  return {
    ...database,
    rowsApart: async (...statement) => {
      const isFlush = statement[1].includes('store_flush')
      const isLate = fault === 'late flush' && isFlush
      if (isLate) late = () => database.rowsApart(...statement)
      const rows = isLate ? [] : await database.rowsApart(...statement)
      if (isLate || fault === (isFlush ? 'flush' : 'note')) throw lost()
      return rows
    },
    transaction: async (work) => {
      const result = await database.transaction(work)
      if (fault === 'transaction') throw lost()
      return result
    },
  }
}

function lost(): HoldfastError {
  return new HoldfastError('UNAVAILABLE', 'lost')
}

function send(from: number, to = datapoints, of = { context, site }): Promise<IngestResult> {
  const elements = Array.from({ length: 10 }, (_, index) => of.site.point('temperature', 1, NOON + from + index))
  return to.ingest.add({ domainId: of.context.domain.id, actor: 'tester', systemUuid: null, units: null }, elements)
}

async function sendWith(kind: typeof fault, from: number): Promise<void> {
  fault = kind
  await expect(send(from)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  fault = null
}

async function countPoints(): Promise<number | undefined> {
  return (await historyOf(context))['Sensor 0 temperature']?.length
}

async function hotRows(): Promise<object[]> {
  return database.statement(`select generation from datapoints_hot`)
}

/** Folds all there is, as upkeep does. */
async function fold(by = datapoints): Promise<void> {
  await by.compactor.compact()
  await by.takeOver()
}

it('a flush whose answer was lost stays visible, whatever is stored before and after it', async () => {
  await send(0)
  await sendWith('flush', 10)
  await sendWith('flush', 20)
  await send(30)
  expect(await countPoints()).toBe(40)
  await fold()
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(40)
})

it('a batch is stored by its retry if the answer to the note of its domain was lost', async () => {
  await sendWith('note', 0)
  expect(await countPoints()).toBe(0)
  await send(0)
  expect(await countPoints()).toBe(10)
})

it('also where the answer of what folded it was lost', async () => {
  await send(0)
  await sendWith('flush', 10)
  await send(20)
  fault = 'transaction'
  await expect(datapoints.compactor.compact()).rejects.toThrow('lost')
  await expect(datapoints.takeOver()).rejects.toThrow('lost')
  fault = null
  await fold()
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(30)
})

it('is folded by the next process, where this one ends', async () => {
  await sendWith('flush', 0)
  await datapoints.close()
  const next = new Datapoints({ ...context, isAlone: true })
  await fold(next)
  expect(await database.statement(`select slot from writer_slots`)).toStrictEqual([])
  expect(await countPoints()).toBe(10)
  await next.close()
})

it('a flush that runs late is stored as long as no other one has drawn a number', async () => {
  await send(0)
  await sendWith('late flush', 10)
  await late()
  await send(20)
  expect(await countPoints()).toBe(30)
  await fold()
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(30)
})

it('a flush that runs after another one is not stored, unless its number was drawn before', async () => {
  const other = new Datapoints({ ...context, isAlone: false })
  await send(0)
  await sendWith('late flush', 10)
  await send(100, other)
  await late()
  expect(await countPoints()).toBe(20)
  await send(20)
  await send(110, other)
  await send(30)
  // Its number is drawn before it is sent, because the other process draws numbers, too.
  await sendWith('late flush', 40)
  await send(120, other)
  await late()
  expect(await countPoints()).toBe(70)
  await other.close()
})

it('a flush that runs after its slot was taken over is not stored', async () => {
  await send(0)
  await sendWith('late flush', 10)
  await datapoints.takeOver()
  await expect(late()).rejects.toMatchObject({ code: '42P01' })
  expect(await countPoints()).toBe(10)
})

async function settled(): Promise<number> {
  const [row] = await database.statement(`select min(settled) as settled from writer_slots`)
  return (row as { settled: number }).settled
}

it('a reader is told that a flush may still come until its slot is taken over', async () => {
  await send(0)
  const before = await settled()
  await sendWith('late flush', 10)
  for (const from of [20, 30]) {
    await send(from)
    await datapoints.compactor.compact()
  }
  expect(await settled()).toBe(before)
  await datapoints.takeOver()
  await send(40)
  await datapoints.compactor.compact()
  expect(await settled()).toBeGreaterThan(before + 2)
})

/** Without a timestamp, so that each time of storing would make another point. */
function sendKeyed(key: string, to = datapoints): Promise<IngestResult> {
  const sender = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  return to.ingest.add(sender, [site.point('temperature', 1)], {
    idempotency: { key, digest: Uint8Array.of(1) },
  })
}

it('a batch with a key is stored once, whether its lost flush was stored, is stored late, or never', async () => {
  fault = 'flush'
  await expect(sendKeyed('stored')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  fault = 'late flush'
  await expect(sendKeyed('late')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  fault = null
  await late()
  fault = 'late flush'
  await expect(sendKeyed('refused')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const lastFlush = late
  fault = null
  const other = new Datapoints({ ...context, isAlone: false })
  for (const server of [datapoints, other, datapoints])
    for (const key of ['stored', 'late', 'refused']) expect(await sendKeyed(key, server)).toMatchObject({ stored: 1 })
  await lastFlush()
  expect(await countPoints()).toBe(3)
  await other.close()
})

it('a batch whose key another transaction holds waits for it, and holds up no other one', async () => {
  const limits = { longestLockMs: 300 }
  const counted = new Datapoints({ ...context, isAlone: false, limits })
  const holder = await openPostgres(place.url, { maxConnections: 1 })
  await sendKeyed('b', counted)
  const waiting = await holder.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('key tester a', $1))`, [context.domain.id])
    await expect(sendKeyed('a', counted)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('this Idempotency-Key is being stored') as string,
    })
    const held = sendKeyed('a', counted)
    await Promise.all([sendKeyed('b', counted), sendKeyed('c', counted), send(0, counted)])
    return { held }
  })
  expect(await waiting.held).toMatchObject({ stored: 1 })
  expect(await countPoints()).toBe(13)
  await holder.close()
  await counted.close()
})

it('a domain whose lock is held holds up no other one, and its batches fail when they have waited enough', async () => {
  const elsewhere = await makeDomain(database, 'elsewhere')
  await emptyDomain(elsewhere)
  const other = { context: elsewhere, site: await makeSite(elsewhere) }
  const counting = countingDatabase(database)
  const counted = new Datapoints({ ...context, database: counting, isAlone: false, limits: { longestLockMs: 300 } })
  const sendOther = (from: number) => send(from, counted, other)
  await Promise.all([send(0, counted), sendOther(0)])
  const before = counting.statements.length
  const holder = await openPostgres(place.url, { maxConnections: 1 })
  const held = await holder.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('model', $1))`, [context.domain.id])
    const own = Promise.allSettled([10, 20, 30].map((from) => send(from, counted)))
    await Promise.all([10, 20, 30].map(sendOther))
    // One flush was enough for them.
    expect(counting.statements.slice(before)).toHaveLength(1)
    for (const from of [40, 50, 60]) await sendOther(from)
    return own
  })
  for (const result of held)
    expect(result).toMatchObject({
      reason: { code: 'UNAVAILABLE', message: expect.stringMatching(/being changed.*try again in a moment/) as string },
    })
  // Each rests for longer than before, so that the lock is not looked at all the time.
  expect(counting.statements.slice(before).filter((text) => text.includes('store_flush')).length).toBeLessThan(15)
  await expect(send(10, counted)).resolves.toMatchObject({ stored: 10 })
  await holder.close()
  await counted.close()
})

it('a batch that waits for the lock of its domain is stored as soon as that is free', async () => {
  let tries = 0
  const { promise: triedAgain, resolve } = Promise.withResolvers<void>()
  const counting = countingDatabase(database, ({ text }) => {
    if (text.includes('store_flush') && ++tries === 3) resolve()
  })
  const counted = new Datapoints({ ...context, database: counting, isAlone: false })
  const holder = await openPostgres(place.url, { maxConnections: 1 })
  const { waiting } = await holder.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('model', $1))`, [context.domain.id])
    const sent = send(0, counted)
    await triedAgain
    return { waiting: sent }
  })
  expect(await waiting).toMatchObject({ stored: 10 })
  expect(await countPoints()).toBe(10)
  await holder.close()
  await counted.close()
})
