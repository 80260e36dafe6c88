import { expect, it } from 'vitest'
import { fetchChunksOfSeries } from '../../../../src/store/datapoints/packed/stored-sizes.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'

const DAY = 86_400_000_000

it('a chunk that reaches into a range from days before counts whole', async () => {
  const database = await POSTGRES.openMigrated()
  const { domain } = await makeDomain(database)
  await database.script(`
    create table datapoint_chunks_1970_01 partition of datapoint_chunks for values from (0) to (${31 * DAY});
    insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
    values (${domain.id}, 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'float', now());
    insert into datapoint_chunks (domain_id, series_id, t0, t1, generation, count, span, last_generation, summary, points)
    values (${domain.id}, 1, ${DAY}, ${25 * DAY}, 1, 14400, 1, 1, '', ''), (${domain.id}, 1, ${2 * DAY}, ${3 * DAY}, 2, 10, 1, 2, '', '')`)
  const sizesFrom = (from: number) =>
    database.read((sql) => fetchChunksOfSeries(sql, domain.id, [1], { from, to: 31 * DAY }, 10))
  expect(await sizesFrom(20.5 * DAY)).toMatchObject([{ seriesId: 1, chunks: 1, points: 14_400 }])
  expect(await sizesFrom(1)).toMatchObject([{ seriesId: 1, chunks: 2, points: 14_410 }])
  await database.close()
})
