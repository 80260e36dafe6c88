import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { ChangeFeeds } from '../../../src/platform/changes/change-feeds.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { fetchChangeStatus } from '../../../src/store/change-status.ts'
import { createPostgresDatabase, ANY_DATABASE, type PostgresDatabase } from '../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'
import { Follower, TestProcess } from './followers.ts'

const NOON = 1_760_000_000_000

const valuesOf = ({ points }: Follower) => points.map(({ value }) => value)

/** Those that a follower has got, when it has ended. */
const end = async (follower: Follower) => {
  await follower.end()
  return valuesOf(follower)
}

describe('datapoints of two processes', () => {
  let place: PostgresDatabase
  const databases: Database[] = []
  let context: DomainContext
  let site: Site
  let one: TestProcess
  let other: TestProcess

  beforeAll(async () => {
    place = await createPostgresDatabase(MIGRATED_TEMPLATE)
    for (let index = 0; index < 2; index++) databases.push(await openPostgres(place.url, { maxConnections: 6 }))
  })
  beforeEach(async () => {
    context = await makeDomain(databases[0] as Database)
    await emptyDomain(context)
    site = await makeSite(context)
    one = new TestProcess(context, databases[0] as Database)
    other = new TestProcess(context, databases[1] as Database)
  })
  afterEach(async () => {
    await one.close()
    await other.close()
  })
  afterAll(async () => {
    for (const database of databases) await database.close()
    await place.drop()
  })

  const who = () => ({ domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null })
  const send = (to: TestProcess, value: number, at = NOON + value) =>
    to.datapoints.ingest.add(who(), [site.point('temperature', value, at)])
  /** A database whose polls fail while `fail(true)` holds. */
  const databaseThatFails = () => {
    const [whole] = databases as [Database]
    let isDown = false
    const rows: Database['rows'] = (...given) => (isDown ? Promise.reject(new Error('down')) : whole.rows(...given))
    return { database: { ...whole, rows }, fail: (isFailing: boolean) => void (isDown = isFailing) }
  }
  const drawn = async () => {
    const status = await fetchChangeStatus(context.database, [])
    return status.drawn
  }
  /** Begins to send, and waits until the flush has its number. */
  async function begin(to: TestProcess, value: number): Promise<{ readonly done: Promise<unknown> }> {
    const before = await drawn()
    const done = send(to, value)
    while ((await drawn()) === before) await new Promise(setImmediate)
    return { done }
  }

  it('one that was begun earlier and is written later comes later, also to whoever goes on in between', async () => {
    const follower = await Follower.begin(one)
    other.hold()
    const sending = await begin(other, 1)
    await send(one, 2)
    await one.feeds.refresh()
    expect(await end(follower)).toStrictEqual([2])
    const waiting = await Follower.begin(one, { after: follower.position })
    other.release()
    await sending.done
    const away = await Follower.begin(other, { after: follower.position })
    await one.feeds.refresh()
    expect([await end(waiting), await end(away)]).toStrictEqual([[1], [1]])
    expect(await end(await Follower.begin(one, { after: waiting.position }))).toStrictEqual([])
  })

  it('what is stored already is not new to whoever begins beside others', async () => {
    const first = await Follower.begin(one)
    await send(other, 1)
    const second = await Follower.begin(one)
    await send(one, 2)
    await one.feeds.refresh()
    expect([await end(first), await end(second)]).toStrictEqual([[1, 2], [2]])
  })

  it('what is written to no place any more gets another number', async () => {
    const follower = await Follower.begin(one)
    const heir = new TestProcess(context, databases[1] as Database, { deadAfterSeconds: 0 })
    await send(one, 1)
    one.holdBefore()
    const sending = send(one, 2)
    await heir.datapoints.takeOver()
    one.release()
    await sending
    await send(one, 3)
    await one.feeds.refresh()
    expect(await end(follower)).toStrictEqual([1, 2, 3])
    await heir.close()
  })

  it('nobody waits for a number for long that never comes', async () => {
    await Promise.all([send(one, 0), send(other, 0)])
    const follower = await Follower.begin(one)
    await context.database.statement(`select nextval('datapoint_generations')`)
    await send(one, 1)
    await one.feeds.refresh()
    // It may be on its way in the other process.
    await new Promise((resolve) => setTimeout(resolve))
    expect(follower.position?.missing).toHaveLength(1)
    await Promise.all([one, other].map(({ datapoints }) => datapoints.compactor.compact()))
    await send(one, 2)
    await one.feeds.refresh()
    expect(await end(follower)).toStrictEqual([1, 2])
    expect(follower.position?.missing).toStrictEqual([])
  })

  it('what was overwritten before it was read comes as it is now', async () => {
    const { database, fail } = databaseThatFails()
    const late = new TestProcess(context, database)
    const follower = await Follower.begin(late)
    // Otherwise a poll could read the first values in between.
    fail(true)
    await send(other, 1, NOON)
    await send(other, 2, NOON)
    await other.datapoints.compactor.compact()
    await one.datapoints.ingest.add(who(), [site.point('temperature', 3, NOON), site.point('temperature', 4, NOON)])
    fail(false)
    await late.feeds.refresh()
    expect(await end(follower)).toStrictEqual([2, 4])
    expect((await historyOf(context))['Sensor 0 temperature']).toStrictEqual([[NOON * 1_000, 4]])
    await late.close()
  })

  it('are shown by the model as it is', async () => {
    const follower = await Follower.begin(one)
    await send(one, 1)
    await one.feeds.refresh()
    await updateRecord(context, 'characteristics', 'temperature', { symbol: 'K' }, ['relabels-data'])
    await send(one, 2)
    await one.feeds.refresh()
    await follower.end()
    expect(follower.points.map(({ series }) => series.characteristic['symbol'] ?? null)).toStrictEqual([null, 'K'])
  })

  it('a database that fails for a while loses nothing', async () => {
    const { database, fail } = databaseThatFails()
    const weak = new TestProcess(context, database)
    const follower = await Follower.begin(weak)
    fail(true)
    await send(one, 1)
    await expect(weak.feeds.refresh()).rejects.toThrow('down')
    fail(false)
    await weak.feeds.refresh()
    expect(await end(follower)).toStrictEqual([1])
    expect(weak.errors).toHaveLength(1)
    await weak.close()
  })

  it('a database that was replaced ends it by name', async () => {
    let isOther = false
    const database: Database = {
      ...(databases[0] as Database),
      rows: async (...given) => {
        const rows = await (databases[0] as Database).rows(...given)
        return isOther ? rows.map((row) => ({ ...row, identity: 'another' })) : rows
      },
    }
    const moved = new TestProcess(context, database)
    const follower = await Follower.begin(moved)
    isOther = true
    await moved.feeds.refresh().catch(() => undefined)
    await expect(follower.end()).rejects.toThrow(/was replaced, as by a restore; subscribe again/)
    await moved.close()
  })
})

it('a database that is restored under its name has another identity', async () => {
  const place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const { pathname } = new URL(place.url)
  const identity = async () => {
    const database = await openPostgres(place.url, { maxConnections: 1 })
    const found = await fetchChangeStatus(database, [])
    await database.close()
    return found.identity
  }
  const before = await identity()
  await place.drop()
  await createPostgresDatabase(MIGRATED_TEMPLATE, pathname.slice(1))
  expect(await identity()).not.toBe(before)
  await place.drop()
})

describe('on PGlite', () => {
  it('too many datapoints since a cursor are refused by name', async () => {
    const database = await ANY_DATABASE.openMigrated()
    const context = await makeDomain(database)
    const site = await makeSite(context)
    const process = new TestProcess(context, database)
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    for (let batch = 0; batch < 6; batch++) {
      const from = NOON + batch * 100_000
      const elements = Array.from({ length: 100_000 }, (_, index) => site.point('temperature', 1, from + index))
      await process.datapoints.ingest.add(who, elements)
    }
    await expect(Follower.begin(process, { after: new SeenFlushes(0) })).rejects.toThrow(
      /^more than 500,000 datapoints were stored since this cursor, and no more are sent again/,
    )
    const last = await Follower.begin(process, { after: new SeenFlushes(5) })
    await last.end()
    expect(last.points).toHaveLength(100_000)
    await process.close()
    await database.close()
  })

  it('who leaves is forgotten, and then nothing is asked any more', async () => {
    const database = await ANY_DATABASE.openMigrated()
    const context = await makeDomain(database)
    let statements = 0
    const counted: Database = {
      ...database,
      rows: (...given) => {
        statements += 1
        return database.rows(...given)
      },
    }
    const feeds = new ChangeFeeds({
      database: counted,
      changes: new ChangeSignals(),
      now: context.now,
      failed: () => undefined,
    })
    const follower = await Follower.begin({ feeds, context })
    await feeds.refresh()
    expect(statements).toBeGreaterThan(0)
    await follower.end()
    await feeds.refresh()
    const before = statements
    await feeds.refresh()
    expect(statements).toBe(before)
    feeds.close()
    await expect(feeds.refresh()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await database.close()
  })
})
