import { beforeAll, describe, expect, it } from 'vitest'
import { fetchReadableSeries, type SeriesFilter } from '../../../../src/store/datapoints/series/readable-series.ts'
import { readDomain } from '../../../../src/store/domains.ts'
import { DATABASES } from '../../../support/databases.ts'
import { applyAll } from '../../../support/domain.ts'
import { rowsRead } from '../../../support/rows-read.ts'
import { SITE_MODEL } from '../../../support/site.ts'
import { context, database, useDomain } from '../../../support/one-database.ts'

const SYSTEMS = 50
const PER_SYSTEM = 100
const PER_COMPONENT = 10

const KINDS = DATABASES.flatMap((kind) => [
  { ...kind, statistics: 'without statistics', analyze: '' },
  { ...kind, statistics: 'with statistics', analyze: 'analyze series' },
])

describe.each(KINDS)('series of a fleet on $name $statistics', ({ openMigrated, analyze }) => {
  useDomain({ openMigrated })
  beforeAll(async () => {
    await applyAll(context, SITE_MODEL)
    const { id } = context.domain
    const uuid = (type: string, key: string) =>
      `(select uuid from records where domain_id = ${id} and type = '${type}' and key = '${key}')`
    await database.script(`
      insert into series (domain_id, id, system_uuid, component_uuid, service_uuid, characteristic_uuid, unit_uuid,
        value_kind, definition, created_at)
      select ${id}, s, ${numbered('s', PER_SYSTEM)}, ${numbered('s', PER_COMPONENT)}, ${uuid('services', 'room')},
        ${uuid('characteristics', 'temperature')}, '${UNIT}', 'float', s % ${PER_COMPONENT}, now()
      from generate_series(0, ${SYSTEMS * PER_SYSTEM - 1}) s;
      ${analyze}`)
  })

  it.each<[what: string, filter: SeriesFilter, found: number]>([
    ['a number', { ids: [4_321] }, 1],
    ['a component', { components: [uuidOf(432)] }, PER_COMPONENT],
    ['components of a system', { components: [uuidOf(432), uuidOf(431)], systems: [uuidOf(43)] }, 2 * PER_COMPONENT],
    ['a system', { systems: [uuidOf(43)] }, PER_SYSTEM],
  ])('are looked at only as far as %s has them, whatever else is said', async (_, filter, found) => {
    const wide = { services: ['room'], characteristics: ['temperature'], units: [UNIT] }
    for (const asked of [filter, { ...filter, ...wide }]) {
      const read = await readDomain(database, context.domain.id, (sql) =>
        rowsRead(sql, 'series', (one) => fetchReadableSeries(one, context.domain.id, asked, 1_001)),
      )
      expect(read).toBe(found)
    }
  })
})

const UNIT = uuidOf(0)

function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** SQL for the uuid of every so many. */
function numbered(column: string, each: number): string {
  return `('00000000-0000-4000-8000-' || lpad((${column} / ${each})::text, 12, '0'))::uuid`
}
