import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { Beginnings } from '../../../src/platform/changes/beginnings.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import { Follower, TestProcess } from './followers.ts'

// One domain whose reads take long, as if it lay on a node that is busy, beside another one.

const NOON = 1_760_000_000_000

let database: Database
let drop: () => Promise<void>
let slow: DomainContext
let quick: DomainContext
let site: Site
let gate: Promise<void> | null = null
/** Resolves when a read of the slow domain waits. */
const waits = Promise.withResolvers<void>()

/** The same database. Transactions that read changes of the slow domain wait for the gate. */
const withGate = (): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((sql) =>
      work({
        ...sql,
        setLocal: async (settings) => {
          if (gate !== null && settings['holdfast.domain_id'] === String(slow.domain.id)) {
            waits.resolve()
            await gate
          }
          return sql.setLocal(settings)
        },
      }),
    ),
})

beforeAll(async () => {
  const made = await createPostgresDatabase(MIGRATED_TEMPLATE)
  drop = made.drop
  database = await openPostgres(made.url, { maxConnections: 6 })
  slow = await makeDomain(database, 'slow')
  quick = await makeDomain(database, 'quick')
  site = await makeSite(quick)
})
afterAll(async () => {
  await database.close()
  await drop()
})

function sendTo(process: TestProcess, { domain }: DomainContext, of: Site, value: number) {
  const who = { domainId: domain.id, actor: 'tester', systemUuid: null, units: null }
  return process.datapoints.ingest.add(who, [of.point('temperature', value, NOON + value)])
}

it('a domain whose changes are read slowly holds back no other one', async () => {
  const process = new TestProcess(quick, withGate())
  const sender = new TestProcess(slow, database)
  const ofSlow = await makeSite(slow)
  const [follower, other] = [await Follower.begin(process), await Follower.begin({ ...process, context: slow })]
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  await sendTo(sender, slow, ofSlow, 1)
  await waits.promise
  for (const value of [1, 2]) {
    await sendTo(process, quick, site, value)
    while (follower.points.length < value) await new Promise(setImmediate)
  }
  gate = null
  opened.resolve()
  await process.feeds.refresh()
  await other.end()
  await follower.end()
  expect([follower.points, other.points].map((points) => points.map(({ value }) => value))).toStrictEqual([[1, 2], [1]])
  await Promise.all([process.close(), sender.close()])
})

it('a subscription resumes while those of another domain are read slowly', async () => {
  const beginnings = new Beginnings()
  const opened = Promise.withResolvers<void>()
  const order: string[] = []
  const begin = (domainId: number, name: string) =>
    beginnings.read(domainId, 'tester', async () => {
      order.push(name)
      if (domainId === 1) await opened.promise
    })
  const ofSlow = ['a', 'b', 'c'].map((name) => begin(1, name))
  await Promise.all([begin(2, 'd'), begin(3, 'e')])
  expect(order).toStrictEqual(['a', 'b', 'd', 'e'])
  opened.resolve()
  await Promise.all(ofSlow)
  expect(order).toStrictEqual(['a', 'b', 'd', 'e', 'c'])
})

it('a subscription resumes at once if another one of a slow domain resumes, too', async () => {
  const beginnings = new Beginnings()
  const [ofSlow, ofQuick] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begun: string[] = []
  const begin = (domainId: number, name: string, until: Promise<void>) =>
    beginnings.read(domainId, 'tester', async () => {
      begun.push(name)
      await until
    })
  const slow = [begin(1, 'slow', ofSlow.promise)]
  const quick = begin(2, 'quick', ofQuick.promise)
  slow.push(begin(1, 'slow again', ofSlow.promise))
  const next = begin(2, 'quick again', Promise.resolve())
  ofQuick.resolve()
  await quick
  await new Promise(setImmediate)
  expect(begun).toStrictEqual(['slow', 'quick', 'slow again', 'quick again'])
  ofSlow.resolve()
  await Promise.all([...slow, next])
})
