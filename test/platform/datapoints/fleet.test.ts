import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { readMigrations } from '../../../src/db/read-migrations.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { makeDomain } from '../../support/domain.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres-server.ts'
import { makeSite, type Site } from '../../support/site.ts'

// What a fleet leaves: each series sends one point a minute, and gateways pass on a thousand of them at once. The server
// is of this test alone, since its log is that of all databases.

const MINUTE = 60_000
const SERIES = 5_000
const ROUNDS = 60
const BEGIN = Date.UTC(2026, 2, 1, 12)
const OF_GATEWAY = 1_000

let server: PostgresServer
let database: Database
let context: DomainContext
let site: Site
let datapoints: Datapoints

beforeAll(async () => {
  server = await startPostgres()
  database = await openPostgres(`${server.url}/postgres`, { maxConnections: 4 })
  await migrate(database, await readMigrations(new URL('../../../src/db/migrations/', import.meta.url)))
  context = { ...(await makeDomain(database)), now: () => new Date(BEGIN + 2 * 3_600_000) }
  site = await makeSite(context, SERIES / 2)
  datapoints = new Datapoints({ ...context, isAlone: true })
})
afterAll(async () => {
  await datapoints.close()
  await database.close()
  await server.stop()
})

async function send(round: number): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const elements = Array.from({ length: SERIES }, (_, index) => {
    // A device sends at its own second of the minute.
    const at = BEGIN + round * MINUTE + ((index * 7_919) % 59_999)
    const value = index % 2 === 0 ? (200 + ((index + round * 3) % 60)) / 10 : 1_000 + round
    return site.point(index % 2 === 0 ? 'temperature' : 'count', value, at, index >> 1)
  })
  for (let from = 0; from < SERIES; from += OF_GATEWAY)
    await datapoints.ingest.add(who, elements.slice(from, from + OF_GATEWAY))
}

async function numbers(statement: string) {
  const [row] = await database.rows({ rows: INT8, bytes: INT8 }, statement)
  return row ?? { rows: Number.NaN, bytes: Number.NaN }
}

const log = () => numbers(`select 0::int8 as rows, (pg_current_wal_lsn() - '0/0')::int8 as bytes`)
const hot = () =>
  numbers(`select count(*) as rows, coalesce(sum(pg_column_size(h.*)), 0)::int8 as bytes from datapoints_hot h`)
const blocks = () =>
  numbers(
    `select count(*) as rows, coalesce(sum(pg_column_size(b.*) + octet_length(b.points) * 0), 0)::int8 as bytes from datapoint_blocks b`,
  )
const chunks = () =>
  numbers(`select count(*) as rows, coalesce(sum(pg_column_size(c.*)), 0)::int8 as bytes from datapoint_chunks c`)

it('an hour of a fleet', { timeout: 120_000 }, async () => {
  await send(0)
  await datapoints.compactor.compact()
  await database.script('truncate datapoint_blocks')
  const before = await log()
  let t = performance.now()
  for (let round = 0; round < ROUNDS; round++) {
    const a = await log()
    await send(round)
    const b = await log()
    if (round < 3) console.log(await hot(), 'log of hot', (b.bytes - a.bytes) / SERIES)
    await datapoints.compactor.compact()
    if (round < 3) console.log(await blocks(), 'log of fold', ((await log()).bytes - b.bytes) / SERIES)
    const c = await log()
    const merged = await datapoints.blockMerger.merge(0, 1e9)
    if (merged) console.log(round, await blocks(), 'log of merge', ((await log()).bytes - c.bytes) / SERIES / 32)
  }
  console.log('ms', performance.now() - t)
  const points = SERIES * ROUNDS
  console.log('hour', await blocks(), 'log a point', ((await log()).bytes - before.bytes) / points)
  const size = await numbers(`select 0::int8 as rows, pg_total_relation_size('datapoint_blocks') as bytes`)
  console.log('on disk', size.bytes / points)
  await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER, 1e9)
  console.log(await blocks(), await chunks(), 'log a point', ((await log()).bytes - before.bytes) / points)
  expect(points).toBe(300_000)
})
