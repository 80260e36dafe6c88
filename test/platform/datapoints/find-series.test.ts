import { expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { findSeries } from '../../../src/store/datapoints/series/series.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { makeSite } from '../../support/site.ts'

const OTHERS = 5_000

const CASES = SAMPLED_DATABASES.flatMap((kind) => [
  { ...kind, statistics: 'with statistics', analyze: 'analyze series' },
  { ...kind, statistics: 'before there are any', analyze: '' },
])

it.each(CASES)('a series is found without a look at all others on $name, $statistics', async (kind) => {
  const { openMigrated, analyze } = kind
  const database = await openMigrated()
  const context = await makeDomain(database)
  const { domain } = context
  const site = await makeSite(context)
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const point = site.point('temperature', 1)
  await datapoints.ingest.add({ domainId: domain.id, actor: 'tester', ...EVERYWHERE }, [point])
  await database.script(
    `insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
     select domain_id, nextval('series_ids'), system_uuid, gen_random_uuid(), service_uuid, characteristic_uuid, value_kind,
       created_at from series, generate_series(1, ${OTHERS}); ${analyze}`,
  )
  const key = {
    systemUuid: point.system_uuid,
    componentUuid: point.component_uuid,
    serviceUuid: point.service_uuid,
    characteristicUuid: point.characteristic_uuid,
    kind: 'float' as const,
  }
  const [found, read] = await readDomain(database, domain.id, async (sql) => [
    await findSeries(sql, domain.id, [point.component_uuid]),
    await sql.rows(
      { rows: INT8 },
      `select seq_tup_read as rows from pg_stat_xact_user_tables where relname = 'series'`,
    ),
  ])
  expect(found).toMatchObject([key])
  // PGlite also counts what came just before.
  expect(read[0]?.rows).toBeLessThan(OTHERS / 100)
  await datapoints.close()
  await database.close()
})
