import { expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Sql } from '../../../src/db/sql.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { ensureSeries } from '../../../src/store/datapoints/series/series.ts'
import { writeData } from '../../../src/store/domains.ts'
import { fetchComponents } from '../../../src/store/systems/component-support.ts'
import { createPostgresDatabase, SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { makeSite } from '../../support/site.ts'
import { watchWays } from '../../support/ways-to-database.ts'

// What points of series that a server has never seen ask of the database (docs/decisions/0037).

const NOON = Date.UTC(2026, 2, 1, 12)

it('waits three times for the look-up, and once for the flush', async () => {
  const place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const network = await watchWays(place.url)
  const database = await openPostgres(network.url, { maxConnections: 2 })
  const context = await makeDomain(database)
  const site = await makeSite(context)
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const add = (component: number) => {
    const points = [site.point('temperature', 1, NOON, component), site.point('count', 2, NOON, component)]
    return datapoints.ingest.add({ domainId: context.domain.id, actor: 'tester', ...EVERYWHERE }, points)
  }
  // Makes the definitions known, and the buffer for hot points.
  await add(0)
  await expect.poll(() => database.load?.().used).toBe(0)
  network.taken()

  expect(await add(1)).toMatchObject({ stored: 2 })
  await expect.poll(() => database.load?.().used).toBe(0)
  const ways = network.taken().map((way) => way.map((text) => text.replace(/\s+/g, ' ').slice(0, 36)))
  const inDomain = [
    "SET LOCAL holdfast.domain_id = '1'",
    "SET LOCAL holdfast.units = '*'",
    "SET LOCAL role = 'holdfast_domain'",
  ]
  const reading = [
    'BEGIN ISOLATION LEVEL REPEATABLE REA',
    ...inDomain,
    'select model_version as version, rec',
    'select c.uuid as "componentUuid", c.',
    'select found.* from (select unnest(s',
  ]
  const making = [
    'BEGIN ISOLATION LEVEL READ COMMITTED',
    ...inDomain,
    'select pg_advisory_xact_lock_shared(',
    'insert into series as s (domain_id, ',
  ]
  // Nobody waits for the end of the transaction that reads.
  expect(ways.filter((way) => way[0] !== 'COMMIT')).toStrictEqual([
    reading,
    making,
    ['select number, drawn_by as "drawnBy"'],
  ])
  expect(ways.filter((way) => way[0] === 'COMMIT')).toHaveLength(2)
  await datapoints.close()
  await database.close()
  await network.close()
  await place.drop()
})

const COMPONENTS = 30
const OTHER_SYSTEMS = 400

const CASES = SAMPLED_DATABASES.flatMap((kind) => [
  { ...kind, statistics: 'with statistics', analyze: 'analyze systems, components' },
  { ...kind, statistics: 'before there are any', analyze: '' },
])

it.each(CASES)('looks at no other system or component on $name, $statistics', async ({ openMigrated, analyze }) => {
  const database = await openMigrated()
  const context = await makeDomain(database)
  const { domain } = context
  const site = await makeSite(context, COMPONENTS)
  await database.script(
    `insert into systems (domain_id, uuid, name, status, metadata, created_at, updated_at)
     select domain_id, gen_random_uuid(), name || other, status, metadata, created_at, updated_at
     from systems, generate_series(1, ${OTHER_SYSTEMS}) other`,
  )
  await database.script(
    `insert into components (domain_id, uuid, system_uuid, model_uuid, name, status, metadata, created_at, updated_at)
     select c.domain_id, gen_random_uuid(), s.uuid, c.model_uuid, c.name, c.status, c.metadata, c.created_at, c.updated_at
     from components c join systems s on s.domain_id = c.domain_id and s.uuid <> c.system_uuid; ${analyze}`,
  )
  const points = site.componentUuids.map((_, component) => site.point('temperature', 1, NOON, component))
  const keys = points.map((point) => ({
    systemUuid: point.system_uuid,
    componentUuid: point.component_uuid,
    serviceUuid: point.service_uuid,
    characteristicUuid: point.characteristic_uuid,
    kind: 'float' as const,
  }))
  const [components, series, read] = await writeData(database, domain.id, async (sql) => {
    const before = await rowsRead(sql)
    // Named twice, each is found once.
    const found = await fetchComponents(sql, domain.id, [...site.componentUuids, ...site.componentUuids])
    const made = await ensureSeries(sql, domain.id, keys, context.now())
    // PGlite also counts what came just before.
    return [found, made, (await rowsRead(sql)) - before] as const
  })
  expect(components.map(({ componentUuid }) => componentUuid).sort()).toStrictEqual(site.componentUuids.toSorted())
  expect(series.map(({ componentUuid }) => componentUuid).sort()).toStrictEqual(site.componentUuids.toSorted())
  expect(read).toBeLessThanOrEqual(3 * COMPONENTS)
  await database.close()
})

async function rowsRead(sql: Sql): Promise<number> {
  const [row] = await sql.rows(
    { rows: INT8 },
    `select sum(seq_tup_read + idx_tup_fetch)::bigint as rows from pg_stat_xact_user_tables
     where relname in ('systems', 'components')`,
  )
  return row?.rows ?? 0
}
