import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT4, TEXT } from '../../src/db/columns.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import type { Database } from '../../src/db/sql.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { historyOf } from '../platform/datapoints/history.ts'
import { makeDomain } from '../support/domain.ts'
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts'
import { makeSite, type SentPoint, type Site } from '../support/site.ts'

// The session of a flush is stopped at each of its steps, and goes on after its sender was refused and another server has
// acknowledged a newer value of the same point.

const NOON = 1_760_000_000_000

let postgres: PostgresServer
/** Of the test, and of the server that is never stopped. */
let database: Database
/** Holds locks. */
let holder: Database
let context: DomainContext
let site: Site
let others: Datapoints
const sessions: number[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  database = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 8 })
  holder = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 1 })
  await migrate(database, await readMigrations(new URL('../../src/db/migrations/', import.meta.url)))
  // Waits at the end of a transaction for a lock that is named by the number.
  await database.script(`create function wait_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(TG_ARGV[0]::int8); return null; end $$`)
  context = await makeDomain(database)
  site = await makeSite(context)
  others = new Datapoints({ ...context, isAlone: false, limits: { deadAfterSeconds: 0 } })
})
afterAll(async () => {
  for (const pid of sessions) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT')
  await others.close()
  await holder.close()
  await database.close()
  await postgres.stop()
})

/** A server that waits for its flushes for some seconds. The database would take any time for them. */
interface StoppedServer {
  readonly database: Database
  readonly datapoints: Datapoints
  /** The session of its flushes. */
  readonly pid: number
  /** Stops that session as soon as a flush is about to be sent. */
  stopBeforeFlush(): void
}

/** It draws the numbers of its flushes within them or beforehand. */
async function startServer(draws: 'in flushes' | 'beforehand'): Promise<StoppedServer> {
  const own = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 4, statementMs: 5_000 })
  let isToStop = false
  const rowsApart: Database['rowsApart'] = (shape, text, values) => {
    if (isToStop && text.includes('store_flush')) {
      isToStop = false
      process.kill(pid, 'SIGSTOP')
    }
    return own.rowsApart(shape, text, values)
  }
  const datapoints = new Datapoints({ ...context, database: { ...own, rowsApart }, isAlone: false })
  await add(datapoints, site.point('percent', 0, NOON))
  if (draws === 'beforehand') {
    await add(others, site.point('percent', 0, NOON))
    await add(datapoints, site.point('percent', 0, NOON))
  }
  const [session] = await own.rowsApart(
    { pid: INT4, times: TEXT },
    `select pg_backend_pid() as pid, set_config('statement_timeout', '0', false) || set_config('lock_timeout', '0', false) as times`,
  )
  const pid = session?.pid ?? 0
  sessions.push(pid)
  return {
    database: own,
    datapoints,
    pid,
    stopBeforeFlush: () => void (isToStop = true),
  }
}

function add(to: Datapoints, point: SentPoint): Promise<unknown> {
  return to.ingest.add({ domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }, [point])
}

async function waiting(pid: number, event: string): Promise<void> {
  const found = `select pid from pg_stat_activity where pid = $1 and coalesce(wait_event_type, '') || ' ' || wait_event like $2`
  await expect.poll(() => database.statement(found, [pid, event])).toHaveLength(1)
}

/** Waits until the sessions have done what they were asked and found that nobody listens. */
async function ended(servers: readonly StoppedServer[]): Promise<void> {
  const found = `select pid from pg_stat_activity where pid = any ($1::int4[])`
  const pids = servers.map(({ pid }) => String(pid))
  await expect.poll(() => database.statement(found, [pids])).toHaveLength(0)
}

async function bufferOf({ datapoints }: StoppedServer): Promise<string> {
  expect(datapoints.load.hot).toBeGreaterThan(0)
  const [row] = await database.statement(`select 'datapoints_hot_' || 2 * max(slot) as name from writer_slots`)
  return (row as { name: string }).name
}

type Send = () => Promise<unknown>
type Sent = Promise<{ readonly sent: Promise<unknown> }>
type Stop = (server: StoppedServer, send: Send) => Sent

interface Stopped {
  readonly server: StoppedServer
  readonly point: SentPoint
  /** What the sender was told. */
  readonly sent: Promise<unknown>
}

let points = 0

/** Sends a point to a server, and stops the session of its flush. */
async function stopOne(server: StoppedServer, stop: Stop): Promise<Stopped> {
  const point = site.point('temperature', 1, NOON + points++)
  return {
    server,
    point,
    ...(await stop(server, () => add(server.datapoints, point).catch((error: unknown) => error))),
  }
}

/** Stops the session of a flush while it waits for a lock that the test holds, and gives the lock back. */
async function stopAtLock(server: StoppedServer, lock: string, event: string, send: Send): Sent {
  return holder.transaction(async (sql) => {
    await sql.query(lock)
    const sent = send()
    await waiting(server.pid, event)
    process.kill(server.pid, 'SIGSTOP')
    return { sent }
  })
}

/** The steps of a flush. Each sends something, and has stopped the session when it resolves. */
const STEPS = {
  'before it begins': async (server, send) => {
    server.stopBeforeFlush()
    return { sent: send() }
  },
  'before it has read the versions': async (server, send) =>
    stopAtLock(server, 'lock table access_versions in access exclusive mode', 'Lock relation', send),
  'before its points are stored': async (server, send) =>
    stopAtLock(server, `lock table ${await bufferOf(server)} in share mode`, 'Lock relation', send),
  'before it is committed': async (server, send) => {
    await database.script(
      `create constraint trigger late after insert on ${await bufferOf(server)} deferrable initially deferred
       for each row execute function wait_at_commit(${server.pid})`,
    )
    return stopAtLock(server, `select pg_advisory_xact_lock(${server.pid})::text`, 'Lock advisory', send)
  },
} satisfies { readonly [step: string]: Stop }

it(
  'a flush replaces nothing newer, wherever it was stopped, once its sender was refused',
  { timeout: 180_000 },
  async () => {
    const stopped: Stopped[] = []
    for (const stop of Object.values(STEPS)) stopped.push(await stopOne(await startServer('in flushes'), stop))
    // Its number is drawn before it begins.
    const { 'before it has read the versions': _, ...steps } = STEPS
    for (const stop of Object.values(steps)) stopped.push(await stopOne(await startServer('beforehand'), stop))
    const server = await startServer('in flushes')
    const standing = await stopOne(server, STEPS['before it begins'])
    for (const { sent } of [...stopped, standing]) expect(await sent).toMatchObject({ code: 'UNAVAILABLE' })
    for (const { point } of stopped) await add(others, { ...point, value: 2 })
    // A server goes on, though its session still stands.
    await add(server.datapoints, { ...standing.point, value: 2 })
    for (const one of [...stopped, standing]) process.kill(one.server.pid, 'SIGCONT')
    await ended([...stopped, standing].map((one) => one.server))
    const databases = [database, ...stopped.map((one) => one.server.database)]
    const kept = Array.from({ length: stopped.length + 1 }, (_, index) => [(NOON + index) * 1_000, 2])
    const read = () => Promise.all(databases.map((one) => historyOf({ ...context, database: one })))
    for (const found of await read()) expect(found['Sensor 0 temperature']).toStrictEqual(kept)
    for (const one of [...stopped, standing]) await one.server.datapoints.close()
    await others.compactor.compact()
    await others.takeOver()
    expect(await database.statement('select generation from datapoints_hot')).toStrictEqual([])
    for (const found of await read()) expect(found['Sensor 0 temperature']).toStrictEqual(kept)
    for (const one of [...stopped, standing]) await one.server.database.close()
  },
)
