import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { IngestResult } from '../../../src/platform/datapoints/ingest/ingest.ts'
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
let fault: 'flush' | 'transaction' | 'late flush' | null
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
      if (fault === 'late flush') late = () => database.rowsApart(...statement)
      const rows = fault === 'late flush' ? [] : await database.rowsApart(...statement)
      if (fault === 'flush' || fault === 'late flush') throw lost()
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

it('a flush whose answer was lost stays visible, whatever is stored before and after it', async () => {
  await send(0)
  await sendWith('flush', 10)
  await sendWith('flush', 20)
  await send(30)
  expect(await countPoints()).toBe(40)
  await datapoints.compactor.compact()
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(40)
})

it('one that is committed when its buffer was emptied long ago stays visible, too', async () => {
  await send(0)
  await sendWith('late flush', 10)
  await datapoints.compactor.compact()
  await late()
  expect(await countPoints()).toBe(20)
  for (const from of [20, 30]) {
    await send(from)
    await datapoints.compactor.compact()
  }
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(40)
})

it('such a flush is folded soon, too, although nothing else comes', async () => {
  await send(0)
  await sendWith('late flush', 10)
  await datapoints.compactor.compact()
  await late()
  await datapoints.compactor.compact()
  expect(await hotRows()).toStrictEqual([])
  await sendWith('flush', 20)
  await datapoints.compactor.compact()
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(30)
})

it('also where the answer of what emptied the buffer was lost', async () => {
  await send(0)
  await sendWith('late flush', 10)
  fault = 'transaction'
  await expect(datapoints.compactor.compact()).rejects.toThrow('lost')
  fault = null
  await late()
  await datapoints.compactor.compact()
  expect(await hotRows()).toStrictEqual([])
  expect(await countPoints()).toBe(20)
})

it('a process that ends leaves none of them behind', async () => {
  await sendWith('flush', 0)
  await datapoints.close()
  expect(await database.statement(`select slot from writer_slots`)).toStrictEqual([])
  expect(await countPoints()).toBe(10)
})

it('a reader is told that flushes may still come, from the first one on whose answer was lost', async () => {
  await send(0)
  const settled = await settledNow()
  await sendWith('late flush', 10)
  await send(20)
  await sendWith('flush', 30)
  await datapoints.compactor.compact()
  expect(await settledNow()).toBe(settled)
})

/** What the slot of the process says after everything before was folded. */
async function settledNow(): Promise<unknown> {
  await datapoints.compactor.compact()
  const [slot] = await database.statement(`select settled from writer_slots`)
  return (slot as { settled: number }).settled
}

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
