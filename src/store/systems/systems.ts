import type { Sql } from '../../db/sql.ts'
import { ENTITIES } from '../../records/entities.ts'
import type { EntityFilterOf } from '../../records/entity.ts'
import { anyOf, contains, matching, METADATA_CONDITIONS, TEXTS, UUIDS, type MetadataFilter } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'

/** The tables whose rows have the unit of their system. Setpoints are not here: they must be locked in order first. */
export const PARTS_OF_SYSTEMS = [
  ...ENTITIES.filter(({ system, table }) => system !== null && system !== 'uuid' && table !== 'setpoints').map(
    ({ table }) => table,
  ),
  'series',
  'system_arrivals',
]

/**
 * Updates the unit of everything that belongs to a system, after the system has moved to another unit. The transaction
 * must hold the lock of the domain, because rows that are created meanwhile would keep the old unit.
 */
export async function moveWithSystem(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `with system as materialized (
       select uuid, unit_uuid from systems where domain_id = $1 and uuid = $2::uuid
     ), locked as (
       select p.uuid from setpoints p where p.domain_id = $1 and p.system_uuid = $2::uuid order by p.uuid for update
     ), of_setpoints as (
       update setpoints t set unit_uuid = system.unit_uuid from system, locked
       where t.domain_id = $1 and t.uuid = locked.uuid
     ), ${PARTS_OF_SYSTEMS.map(followed).join(', ')}
     select`,
    [domainId, uuid],
  )
}

const followed = (table: string) => `of_${table} as (
  update ${table} t set unit_uuid = system.unit_uuid from system
  where t.domain_id = $1 and t.system_uuid = system.uuid)`

/** Its `organizationUnits` are uuids. PostgreSQL has statistics about them, so it knows whether few systems match. */
interface SystemFilter extends Omit<EntityFilterOf<'System'>, 'metadata'>, MetadataFilter {
  /** The uuids of organizations or units, without the units below them. */
  readonly units?: readonly string[] | undefined
}

const match = matching<Omit<SystemFilter, 'units'>>(
  {
    uuids: { type: UUIDS, holds: anyOf('e.uuid') },
    status: { type: TEXTS, holds: anyOf('e.status') },
    organizationUnits: { type: UUIDS, holds: anyOf('e.unit_uuid') },
    search: { type: 'text', holds: contains('e.name') },
    ...METADATA_CONDITIONS,
  },
  { narrow: ['uuids', 'holders', 'organizationUnits'] },
)

export function systemsMeant(filter: SystemFilter): Selection {
  return { ...match(filter), units: filter.units }
}
