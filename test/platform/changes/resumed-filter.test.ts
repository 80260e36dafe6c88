import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Sql } from '../../../src/db/sql.ts'
import { FlushReader } from '../../../src/platform/changes/flush-reader.ts'
import { fetchReadableSeries, type SeriesFilter } from '../../../src/store/datapoints/series/readable-series.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { oneDomain } from '../one-domain.ts'

const context = oneDomain()

it('a subscription that resumes reads only the numbers of its series, which may be millions, in one row', async () => {
  const { database, domain } = context()
  const [unit, system] = [randomUUID(), randomUUID()]
  await database.script(
    `insert into series (domain_id, id, system_uuid, unit_uuid, component_uuid, service_uuid, characteristic_uuid, value_kind, created_at)
     select ${domain.id}, 2 ^ 40 + s, case when s <= 20 then '${system}' else gen_random_uuid() end,
       case when s > 10 then '${unit}'::uuid end, gen_random_uuid(), gen_random_uuid(),
       gen_random_uuid(), 'float', now()
     from generate_series(1, 40) s`,
  )
  const reader = new FlushReader(domain.id, () => new Date())
  const counts: number[] = []
  const filters: SeriesFilter[] = [
    { units: [unit] },
    { systems: [system] },
    { units: [unit], systems: [system] },
    { components: [randomUUID()] },
  ]
  await readDomain(database, domain.id, async (sql) => {
    for (const filter of filters) {
      let rows = 0
      const counting: Sql['rows'] = async (shape, text, values) => {
        const read = await sql.rows(shape, text, values)
        rows += read.length
        return read
      }
      const ids = await reader.idsOf({ ...sql, rows: counting }, filter)
      const expected = await fetchReadableSeries(sql, domain.id, filter, 1_000)
      expect(ids.toSorted()).toStrictEqual(expected.map(({ id }) => id).toSorted())
      counts.push(ids.length)
      expect(rows).toBe(1)
    }
  })
  expect(counts).toStrictEqual([30, 20, 10, 0])
})
