import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { INT4 } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { findSeriesOf } from '../../support/find-series.ts'
import { readDatapoints } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { expireDatapoints } from '../../../src/platform/datapoints/retention/expire.ts'
import { readingQuery } from '../../../src/platform/datapoints/reading/reading-query.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'
import { countWaiting } from '../../support/lock-waits.ts'
import { PATIENCE } from '../../support/patience.ts'

// Two server processes on one PostgreSQL, each a Datapoints with connections of its own, that take in, fold, merge and
// delete at the same time.

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 20, 12)
const ROUNDS = 40
const ANYBODY = { systemUuid: null, units: null }

let place: PostgresDatabase
const databases: Database[] = []

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  for (let index = 0; index < 2; index++) databases.push(await openPostgres(place.url, { maxConnections: 6 }))
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.drop()
})

async function prepare(slug: string): Promise<{ context: DomainContext; site: Site }> {
  const context = { ...(await makeDomain(databases[0] as Database, slug)), now: () => new Date(NOON) }
  return { context, site: await makeSite(context) }
}

async function counts(context: DomainContext): Promise<number[]> {
  return Object.values(await historyOf(context)).map(({ length }) => length)
}

it(
  'one domain gives up its old points while both write: it keeps the young ones, and the other one all',
  { timeout: 180_000 },
  async () => {
    const [short, long] = [await prepare('short'), await prepare('long')]
    const processes = databases.map((database) => new Datapoints({ ...short.context, database, isAlone: false }))
    const writing = new AbortController()
    const { signal } = writing

    /** Each round writes a point of 60 days ago and one of today. */
    const write = async (to: Datapoints, { context, site }: typeof short, component: number) => {
      const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
      for (let round = 0; round < ROUNDS; round++) {
        const old = site.point('temperature', round, NOON - 60 * DAY_MS + round, component)
        const young = site.point('temperature', round, NOON - round, component)
        await to.ingest.add(who, [old, young], { lenient: true })
        if (round === ROUNDS / 2 && component === 0 && context === short.context)
          await setRetention(context, { characteristic: null, keep: 'P30D', acknowledge: true })
      }
    }
    const keepUp = async (datapoints: Datapoints) => {
      while (!signal.aborted) {
        // A month may be dropped at the moment in which it is needed again; the next turn makes it.
        await datapoints.compactor.compact().catch(() => undefined)
        await datapoints.merger.sweep()
        await datapoints.merger.merge(Number.MAX_SAFE_INTEGER)
        await datapoints.expire()
        await new Promise(setImmediate)
      }
    }
    /** What has been shown once stays, unless it is given up, and that all at once. */
    const read = async () => {
      let seen = 0
      while (!signal.aborted) {
        const all = Object.values(await historyOf(long.context)).flat().length
        expect(all).toBeGreaterThanOrEqual(seen)
        seen = all
        for (const { componentUuid, serviceKey, characteristicKey } of await findSeriesOf(short.context, ANYBODY, {})) {
          const query = readingQuery({ first: 1_000 }, new Date(NOON))
          const name = { component: componentUuid, service: serviceKey, characteristic: characteristicKey }
          const { series, reading } = await readDatapoints(short.context, ANYBODY, name, query, new Date(NOON))
          if (reading.form !== 'page' || (series.earliest ?? 0) === 0) continue
          expect(reading.points.every(({ at }) => at >= (series.earliest ?? 0))).toBe(true)
        }
        await new Promise(setImmediate)
      }
    }
    const background = [...processes.map(keepUp), read()]
    const [one, other] = processes as [Datapoints, Datapoints]
    const writers = [write(one, short, 0), write(other, short, 1), write(one, long, 0), write(other, long, 1)]
    await Promise.all(writers).finally(() => writing.abort())
    await Promise.all(background)
    for (const datapoints of processes) await datapoints.compactor.compact().catch(() => datapoints.compactor.compact())
    await one.expire()
    for (const datapoints of processes) await datapoints.close()

    expect(await counts(long.context)).toStrictEqual([ROUNDS * 2, ROUNDS * 2])
    expect(await counts(short.context)).toStrictEqual([ROUNDS, ROUNDS])
  },
)

it('two that expire rows of one block at once, which come to have the same key, do not hinder each other', async () => {
  const { context, site } = await prepare('same-key')
  const [database, elsewhere] = databases as [Database, Database]
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const datapoints = new Datapoints({ ...context, isAlone: false })
  await datapoints.ingest.add(
    who,
    [40, 1].map((days) => site.point('temperature', days, NOON - days * DAY_MS)),
  )
  await datapoints.close()
  await setRetention(context, { characteristic: null, keep: 'P10D', acknowledge: true })
  const ofDomain = `datapoint_blocks where domain_id = ${context.domain.id}`
  await database.script(`insert into datapoint_blocks (domain_id, block, generation, t0, t1, arrived_at, level, count, series, points)
    select domain_id, block, generation, t0 + 1, t1, arrived_at, level, count, series, points from ${ofDomain}`)

  // The first one gets one of the rows, since somebody else has the other one at that moment, and the second one that.
  const held = await holdRow(elsewhere, `select from ${ofDomain} and t0 % 2 = 1 for update`)
  let second: Promise<void> = Promise.resolve()
  let isLast = false
  const beforeCommit = countingDatabase(database, async ({ text }) => {
    if (isLast && text === 'COMMIT') {
      await held.release()
      second = expireDatapoints(elsewhere, NOON * 1_000)
      await vi.waitUntil(async () => (await countWaiting(elsewhere, 'update %datapoint_blocks%')) === 1, PATIENCE)
    }
    isLast = text.startsWith('update datapoint_blocks')
  })
  await expireDatapoints(beforeCommit, NOON * 1_000)
  await second
  expect(await database.rows({ count: INT4 }, `select count from ${ofDomain}`)).toStrictEqual([
    { count: 1 },
    { count: 1 },
  ])
})

/** A transaction of its own that has a row until it is told to end. */
async function holdRow(database: Database, statement: string): Promise<{ release(): Promise<void> }> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = database.transaction(async (sql) => {
    await sql.query(statement, [])
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, ended])
  return {
    release: async () => {
      released.resolve()
      await ended
    },
  }
}
