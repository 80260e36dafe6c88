import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { TIMESTAMPTZ } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { keepDatapoints } from '../../../src/server/process/datapoint-upkeep.ts'
import { ERRORS_ONLY } from '../../../src/server/logger.ts'
import { holdHotPoints } from '../../../src/store/datapoints/points/points.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { WAITING } from '../../support/lock-waits.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { PATIENCE } from '../../support/patience.ts'

let place: PostgresDatabase
let database: Database
let other: Database
let context: DomainContext
let site: Site
beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  database = await openPostgres(place.url, { maxConnections: 6 })
  other = await openPostgres(place.url, { maxConnections: 6 })
  context = await makeDomain(database)
  site = await makeSite(context)
})
afterAll(async () => {
  await database.close()
  await other.close()
  await place.drop()
})

/** So many points of a day as leave their block. */
async function send(datapoints: Datapoints, year: number): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const elements = Array.from({ length: 1_000 }, (_, second) =>
    site.point('temperature', second % 50, Date.UTC(year, 5, 5) + second * 1_000),
  )
  expect(await datapoints.ingest.add(who, elements)).toMatchObject({ stored: 1_000 })
}

/** Holds a lock in another session. */
async function hold(lock: string): Promise<() => Promise<void>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const holding = other.transaction(async (sql) => {
    await sql.query(lock)
    begin()
    await ended
  })
  await begun
  return async () => {
    end()
    await holding
  }
}

async function waitsFor(mode: string, meanwhile = () => undefined as unknown): Promise<void> {
  const waiting = `${WAITING} and mode = '${mode}'`
  while ((await other.statement(waiting)).length === 0) meanwhile()
}

async function heartbeat(): Promise<number> {
  const [row] = await other.rows({ at: TIMESTAMPTZ }, 'select heartbeat_at as at from writer_slots')
  return row?.at.getTime() ?? 0
}

it('a process that waits for a table counts as alive', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const limits = { foldAtPoints: 1 }
  const datapoints = new Datapoints({ ...context, isAlone: false, limits })
  const release = await hold('lock table only datapoint_chunks in share update exclusive mode')
  const upkeep = keepDatapoints(datapoints, ERRORS_ONLY)
  await send(datapoints, 1995)
  await waitsFor('ShareUpdateExclusiveLock', () => vi.advanceTimersByTime(500))
  const before = await heartbeat()
  vi.advanceTimersByTime(3_000)
  await vi.waitFor(async () => expect(await heartbeat()).toBeGreaterThan(before), PATIENCE)
  await release()
  await upkeep.stop()
  await datapoints.close()
})

it('a process counts as alive while requests have all of its connections', async () => {
  const busy = await openPostgres(place.url, { maxConnections: 2, patienceMs: 100 })
  const datapoints = new Datapoints({ ...context, database: busy, isAlone: false })
  await send(datapoints, 2003)
  const before = await heartbeat()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const requests = [1, 2].map(() => busy.transaction(() => ended))
  await vi.waitFor(() => expect(busy.load?.().used).toBe(2), PATIENCE)
  await datapoints.compactor.beat()
  expect(await heartbeat()).toBeGreaterThan(before)
  end()
  await Promise.all(requests)
  await datapoints.close()
  await busy.close()
})

it.each(['a fold', 'a takeover'])('%s lets readers in while another reader keeps it out', async (kind) => {
  const datapoints = new Datapoints({ ...context, isAlone: false })
  await send(datapoints, kind === 'a fold' ? 2001 : 2011)
  const successor = new Datapoints({ ...context, isAlone: true })
  const release = await hold('lock table datapoints_hot in access share mode')
  let hasEnded = false
  const folding = kind === 'a fold' ? datapoints.compactor.compact() : successor.takeOver()
  const watched = folding.finally(() => (hasEnded = true))
  await waitsFor('AccessExclusiveLock')
  await database.read(holdHotPoints)
  expect(hasEnded).toBe(false)
  await release()
  await watched
  expect(await other.statement('select 1 from datapoints_hot')).toStrictEqual([])
  await datapoints.close()
  await successor.close()
})

it('a buffer that could not be dropped with its slot is dropped later', async () => {
  await other.script(`create table datapoints_retired_999 (like datapoints_hot);
    alter table datapoints_hot attach partition datapoints_retired_999 for values in (999)`)
  const datapoints = new Datapoints({ ...context, isAlone: false })
  await datapoints.tidy()
  expect(await other.statement(`select 1 from pg_class where relname like 'datapoints_retired_%'`)).toStrictEqual([])
  await datapoints.close()
})

it('merging leaves chunks alone that another transaction holds, and merges all others', async () => {
  const datapoints = new Datapoints({ ...context, isAlone: true, limits: { leastOfChunk: 1 } })
  for (const minute of [0, 1])
    for (const component of [0, 1]) await addChunk(datapoints, Date.UTC(1988, 1, 1, 12, minute), component)
  await datapoints.merger.sweep()
  const ofDay = `datapoint_chunks where domain_id = ${context.domain.id} and t0 >= ${Date.UTC(1988, 1, 1) * 1_000} and t0 < ${Date.UTC(1988, 1, 2) * 1_000}`
  const release = await hold(`select from ${ofDay} and series_id = (select min(series_id) from ${ofDay}) for update`)
  const merging = datapoints.merger.merge(Number.MAX_SAFE_INTEGER)
  const waiting = new AbortController()
  const isWaiting = until(() => other.statement(WAITING), waiting.signal)
  expect(await Promise.race([merging, isWaiting.then(() => 'it waits')])).toBe(true)
  waiting.abort()
  await release()
  const chunks = `select count(*)::integer as chunks from ${ofDay} group by series_id order by series_id`
  expect(await other.statement(chunks)).toStrictEqual([{ chunks: 2 }, { chunks: 1 }])
  await datapoints.close()
})

/** Stores a point that leaves its block at once. */
async function addChunk(datapoints: Datapoints, at: number, component: number): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  await datapoints.ingest.add(who, [site.point('temperature', 1, at, component)])
  await datapoints.compactor.compact()
  await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
}

async function until(look: () => Promise<readonly object[]>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await look()).length === 0) continue
}

it('folding goes on while merging waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const merging = Promise.withResolvers<boolean>()
  const merge = vi.spyOn(datapoints, 'merge').mockReturnValue(merging.promise)
  const tick = vi.spyOn(datapoints.compactor, 'tick')
  const upkeep = keepDatapoints(datapoints, ERRORS_ONLY)
  await vi.waitFor(() => expect(merge).toHaveBeenCalledOnce(), PATIENCE)
  const before = tick.mock.calls.length
  for (let turn = 0; turn < 2; turn++) {
    await Promise.all(tick.mock.results.map(({ value }) => value as Promise<void>))
    await new Promise(setImmediate)
    vi.advanceTimersByTime(500)
  }
  expect(tick.mock.calls.length).toBe(before + 2)
  expect(merge).toHaveBeenCalledOnce()
  merging.resolve(false)
  await upkeep.stop()
  await datapoints.close()
})
