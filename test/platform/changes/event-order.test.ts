import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database, Sql } from '../../../src/db/sql.ts'
import { numberOutbox, tidyOutboxes } from '../../../src/platform/changes/outbox.ts'
import { openStream } from '../../../src/platform/changes/open-stream.ts'
import { Feed, type PollStatus } from '../../../src/platform/changes/feed.ts'
import { rowParts, RowSource } from '../../../src/platform/changes/row-source.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { present } from '../../../src/lib/present.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createSystem } from '../../../src/platform/systems/systems.ts'
import { findUnnumbered, forgetChanges, noteChanges } from '../../../src/store/outbox.ts'
import { fetchEvents, type StoredEvent } from '../../../src/store/systems/events.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'
import { runsOf } from '../../support/runs.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { Follower, TestProcess } from './followers.ts'

// Events of transactions that end in another order than they began: on a database with several connections.

let place: PostgresDatabase
let database: Database
let context: DomainContext
let one: TestProcess
let systemUuid: string

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  database = await openPostgres(place.url, { maxConnections: 6 })
  context = await makeDomain(database)
  await applyAll(context, { eventModels: [{ code: 'restart', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' }] })
  systemUuid = (await createSystem(context, EVERYWHERE, { name: 'Site' })).uuid
})
beforeEach(() => {
  one = new TestProcess(context, database)
})
afterEach(() => one.close())
afterAll(async () => {
  await database.close()
  await place.drop()
})

async function insert(sql: Sql, count = 1): Promise<readonly string[]> {
  const uuids = Array.from({ length: count }, () => crypto.randomUUID())
  await sql.query(
    `insert into events (domain_id, uuid, model_uuid, system_uuid, begins_at, ends_at, metadata, actor, created_at)
     select $1, one, r.uuid, $2::uuid, now(), now(), '[]', 'tester', now()
     from records r join systems s on s.domain_id = r.domain_id and s.uuid = $2::uuid, unnest($3::uuid[]) one
     where r.domain_id = $1 and r.key = 'restart'`,
    [context.domain.id, systemUuid, uuids],
  )
  await noteChanges(sql, context.domain.id, 'events', uuids)
  return uuids
}

interface Part {
  readonly rows: readonly StoredEvent[]
  readonly position: number
}

async function followEvents(after: number | null = null, process: TestProcess = one) {
  const stream = await openStream<number, StoredEvent, null, Part>(process.feeds, {
    domainId: context.domain.id,
    topic: 'events',
    filter: null,
    after: after === null ? null : () => after,
    keep: (event) => event,
    count: () => 1,
    weigh: () => 1,
    account: 'tester',
    show: (delivery) => rowParts(delivery, { items: 3_000, text: Infinity }),
    most: 100_000,
    ending: () => undefined,
    closed: () => undefined,
  })
  const next = async (): Promise<Part> => (await stream.next()).value ?? { rows: [], position: 0 }
  return { stream, next }
}

it('all come once', async () => {
  const { stream, next } = await followEvents()
  const { position } = await next()
  const mayEnd = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow = database.transaction(async (sql) => {
    await insert(sql)
    begun.resolve()
    await mayEnd.promise
  })
  await begun.promise
  await database.transaction((sql) => insert(sql))
  await one.feeds.refresh()
  const early = await next()
  expect(early.rows).toHaveLength(1)
  mayEnd.resolve()
  await slow
  await one.feeds.refresh()
  const late = await next()
  expect(late.rows).toHaveLength(1)
  expect(late.rows[0]?.uuid).not.toBe(early.rows[0]?.uuid)
  const again = await (await followEvents(early.position)).next()
  expect(again.rows.map(({ uuid }) => uuid)).toStrictEqual([late.rows[0]?.uuid])
  expect((await (await followEvents(position)).next()).rows).toHaveLength(2)
  await stream.return()
})

it('too many since a cursor are refused by name, and who was there gets them all', async () => {
  const { stream, next } = await followEvents()
  const { position } = await next()
  await database.transaction((sql) => insert(sql, 10_001))
  await expect(followEvents(position)).rejects.toThrow(/^this cursor is too old: more than 10,000 changes came since/)
  await one.feeds.refresh()
  let count = 0
  while (count < 10_001) count += (await next()).rows.length
  expect(count).toBe(10_001)
  await stream.return()
})

it('those that are too long to be read at once come one part after the other', async () => {
  const status: PollStatus = {
    outbox: [{ domainId: context.domain.id, topic: 'events', last: null }],
    settled: 0,
    identity: '',
    drawn: 0,
    folds: '',
  }
  const source = new RowSource<StoredEvent>(database, context.domain.id, {
    topic: 'events',
    fetch: async (sql, domainId, uuids, mostBytes) =>
      uuids.length > mostBytes / 16_777_216 ? null : fetchEvents(sql, domainId, uuids),
  })
  const feed = await Feed.begin(source, status)
  const { position } = feed
  const heard: string[][] = []
  feed.join(
    ({ items }) => heard.push(items.map(({ uuid }) => uuid)),
    () => undefined,
  )
  const uuids = []
  for (const count of [1, 2, 6, 1, 1]) uuids.push(await database.transaction((sql) => insert(sql, count)))
  await feed.poll(status)
  expect(heard).toStrictEqual([[...present(uuids[0]), ...present(uuids[1])], uuids[2], uuids.slice(3).flat()])
  await expect(source.between(position, feed.position)).rejects.toThrow(
    /^the changes since this cursor have more than 134,217,728 bytes; read them with a query/,
  )
})

it('who lags behind what is kept is told so, and the next one hears what comes', async () => {
  const { next } = await followEvents()
  await next()
  const domainId = context.domain.id
  for (const count of [3, 1]) await database.transaction((sql) => insert(sql, count))
  const last = await numberOutbox(database, domainId, 'events')
  await database.transaction((sql) => forgetChanges(sql, domainId, 'events', last - 1))
  await one.feeds.refresh().catch(() => undefined)
  await expect(next()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  await one.feeds.refresh()
  await insertAndHear()
})

it('who has seen more than the database has after a restore is told so', async () => {
  const { next } = await followEvents()
  await next()
  await database.transaction((sql) => insert(sql, 2))
  await one.feeds.refresh()
  expect((await next()).rows).toHaveLength(2)
  await database.statement(`update outbox_numbers set last = last - 1 where domain_id = $1`, [context.domain.id])
  await one.feeds.refresh().catch(() => undefined)
  await expect(next()).rejects.toThrow(/^this cursor is ahead of the database/)
  await database.statement(`update outbox_numbers set last = last + 1 where domain_id = $1`, [context.domain.id])
  await insertAndHear()
})

it('an outbox that cannot be numbered holds up no other', async () => {
  await tidyOutboxes(database)
  const notes = [
    ['events', [crypto.randomUUID()]],
    ['setpoints', [crypto.randomUUID()]],
  ] as const
  for (const [topic, uuids] of notes)
    await database.transaction((sql) => noteChanges(sql, context.domain.id, topic, uuids))
  let first = true
  const broken = countingDatabase(database, ({ text }) => {
    if (!first || !text.includes('insert into outbox_numbers')) return
    first = false
    throw new Error('the row is damaged')
  })
  await expect(tidyOutboxes(broken)).rejects.toThrow('the row is damaged')
  expect(await findUnnumbered(database)).toStrictEqual([{ domainId: context.domain.id, topic: 'events' }])
  await tidyOutboxes(database)
  expect(await findUnnumbered(database)).toStrictEqual([])
})

it('changes that cannot be read hold up nobody who follows others', async () => {
  let isBroken = false
  const broken = countingDatabase(database, ({ text }) => {
    if (isBroken && text.includes('from outbox where domain_id = $1 and topic')) throw new Error('the row is damaged')
  })
  const own = new TestProcess(context, broken)
  const { stream, next } = await followEvents(null, own)
  await next()
  const datapoints = await Follower.begin(own)
  isBroken = true
  await database.transaction((sql) => insert(sql))
  await (await Follower.begin(own, { after: new SeenFlushes(0) })).end()
  expect(own.errors).toStrictEqual([new Error('the row is damaged')])
  isBroken = false
  await own.feeds.refresh()
  expect((await next()).rows).toHaveLength(1)
  await datapoints.end()
  await stream.return()
  await own.close()
})

async function insertAndHear(): Promise<void> {
  const { stream, next } = await followEvents()
  await next()
  const uuids = await database.transaction((sql) => insert(sql))
  await one.feeds.refresh()
  expect((await next()).rows.map(({ uuid }) => uuid)).toStrictEqual(uuids)
  await stream.return()
}

const transaction = fc.record({
  /** How many steps it stays open. */
  open: fc.integer({ min: 0, max: 4 }),
  isKept: fc.boolean(),
  count: fc.integer({ min: 1, max: 3 }),
})

it(
  'all come once, whichever transactions end first, are rolled back, and whoever numbers them',
  { timeout: 180_000 },
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(transaction, { minLength: 1, maxLength: 12 }), async (steps) => {
        const other = new TestProcess(context, database)
        const [here, there] = [await followEvents(), await followEvents(null, other)]
        const { position } = await here.next()
        const running: { readonly end: () => Promise<void>; left: number }[] = []
        const kept: string[] = []
        for (const { open, isKept, count } of steps) {
          running.push({ end: await begin(isKept, count, kept), left: open })
          for (const one of running) if (one.left-- === 0) await one.end()
          await Promise.all([one.feeds.refresh(), other.feeds.refresh()])
        }
        for (const { end, left } of running) if (left >= 0) await end()
        await Promise.all([one.feeds.refresh(), other.feeds.refresh()])
        await there.next()
        for (const { next } of [here, there, await followEvents(position, other)])
          expect((await collect(next, kept.length)).toSorted()).toStrictEqual(kept.toSorted())
        await Promise.all([here, there].map(({ stream }) => stream.return()))
        await other.close()
      }),
      { numRuns: runsOf('LAW_RUNS', { sample: 4, long: 60 }) },
    ),
)

/** Begins a transaction that makes events, and gives what ends it. */
async function begin(isKept: boolean, count: number, kept: string[]): Promise<() => Promise<void>> {
  const [mayEnd, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<readonly string[]>()]
  const running = database.transaction(async (sql) => {
    begun.resolve(await insert(sql, count))
    await mayEnd.promise
    if (!isKept) throw new Error('rolled back')
  })
  running.catch(() => undefined)
  const uuids = await begun.promise
  return async () => {
    mayEnd.resolve()
    await running.catch(() => undefined)
    if (isKept) kept.push(...uuids)
  }
}

async function collect(next: () => Promise<Part>, count: number): Promise<readonly string[]> {
  const got: string[] = []
  while (got.length < count) got.push(...(await next()).rows.map(({ uuid }) => uuid))
  return got
}
