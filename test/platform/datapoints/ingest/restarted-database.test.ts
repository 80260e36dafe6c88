import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { INT8, TEXT } from '../../../../src/db/columns.ts'
import { migrate } from '../../../../src/db/migrate.ts'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import { MIGRATIONS, readMigrations } from '../../../../src/db/read-migrations.ts'
import type { Database } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { makeDomain } from '../../../support/domain.ts'
import { startPostgres, type PostgresServer } from '../../../support/postgres-server.ts'
import { makeSite, type Site } from '../../../support/site.ts'
import { PATIENCE } from '../../../support/patience.ts'

// After a restart of the database, a domain keeps the identity from before it until its next batch. On Citus, that lasts
// until its node answers.

const DOMAINS = 6
const TURNS = 5
const NOON = 1_760_000_000_000

interface SiteOfDomain {
  readonly context: DomainContext
  readonly site: Site
}

let postgres: PostgresServer
let database: Database
const sites: SiteOfDomain[] = []
/** The domain whose node does not answer. */
let away: number | null = null

beforeAll(async () => {
  postgres = await startPostgres()
  database = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 4 })
  await migrate(database, await readMigrations(MIGRATIONS))
  for (let index = 0; index < DOMAINS; index++) {
    const context = await makeDomain(database, `domain-${index}`)
    sites.push({ context, site: await makeSite(context) })
  }
})
afterAll(async () => {
  await database.close()
  await postgres.stop()
})

async function startOf(): Promise<string | undefined> {
  const [row] = await database.rows({ start: TEXT }, 'select pg_postmaster_start_time()::text as start')
  return row?.start
}

async function restart(): Promise<void> {
  const before = await startOf()
  process.kill(postgres.pid, 'SIGINT')
  await vi.waitFor(async () => {
    await postgres.again()
    expect(await startOf()).not.toBe(before)
  }, PATIENCE)
}

async function usedIn(rows: string): Promise<number> {
  const [row] = await database.rows({ used: INT8 }, `select count(*) as used from ${rows}`)
  return row?.used ?? 0
}

/** Sends points of each domain, in turn, with timestamps and without; returns the domains whose points were refused. */
async function sendOfAll(datapoints: Datapoints): Promise<number[]> {
  const refused: number[] = []
  for (const { context, site } of sites) {
    const sender = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    for (const timestamp of [undefined, NOON]) {
      const sent = datapoints.ingest.add(sender, [site.point('count', 1, timestamp)])
      await sent.catch(() => refused.push(context.domain.id))
    }
  }
  return refused
}

it('a restart takes one lane and one slot, also while the node of a domain does not answer', async () => {
  const counting = countingDatabase(database, ({ text, values }) => {
    if (text.includes('node_of($1)') && values[0] === away)
      throw Object.assign(new Error('connection to the remote node failed'), { code: '08006' })
  })
  const [first] = sites
  const datapoints = new Datapoints({ ...(first as SiteOfDomain).context, database: counting, isAlone: false })
  expect(await sendOfAll(datapoints)).toStrictEqual([])
  await restart()
  away = sites[2]?.context.domain.id ?? 0
  for (let turn = 0; turn < TURNS; turn++) expect(await sendOfAll(datapoints)).toStrictEqual([away, away])
  away = null
  expect(await sendOfAll(datapoints)).toStrictEqual([])
  // One of each from before the restart, and one from after it.
  expect(await usedIn('arrival_lanes where owner is not null')).toBe(2)
  expect(await usedIn('writer_slots')).toBe(2)
  await datapoints.close()
})
