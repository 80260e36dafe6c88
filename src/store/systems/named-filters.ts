import { TEXT } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'

/** The names in a request: systems and components by uuid, event models by key, all else by either. */
export interface NamedFilters {
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  readonly characteristics?: readonly string[] | undefined
  readonly eventModels?: readonly string[] | undefined
}

const UNKNOWN = { what: TEXT, name: TEXT }

export type UnknownName = RowOf<typeof UNKNOWN>

const record = (what: string, type: string, parameter: string) =>
  `select '${what}' as what, wanted.name from unnest(${parameter}::text[]) wanted (name) where not exists (
     select from records r where r.domain_id = $1 and r.type = '${type}' and (r.key = wanted.name or r.uuid::text = wanted.name))`

/** The bounds within which all that is named must be. A member is null where there is no bound. */
export interface Bounds {
  readonly systemUuid: string | null
  /** The units to which a system must belong. */
  readonly units: readonly string[] | null
}

/** The names that do not exist within the bounds. */
export async function fetchUnknownNames(
  sql: Sql,
  domainId: number,
  { systems, components, services, characteristics, eventModels }: NamedFilters,
  { systemUuid, units }: Bounds,
): Promise<UnknownName[]> {
  return sql.rows(
    UNKNOWN,
    `select 'system' as what, wanted.name from unnest($2::text[]) wanted (name) where not exists (
       select from systems s where s.domain_id = $1 and s.uuid = wanted.name::uuid
         and ($7::uuid is null or s.uuid = $7::uuid) and ($8::uuid[] is null or s.unit_uuid = any ($8::uuid[])))
     union all
     select 'component', wanted.name from unnest($3::text[]) wanted (name) where not exists (
       select from components c
       where c.domain_id = $1 and c.uuid = wanted.name::uuid
         and ($7::uuid is null or c.system_uuid = $7::uuid) and ($8::uuid[] is null or c.unit_uuid = any ($8::uuid[])))
     union all ${record('service', DATA_TYPES.service, '$4')}
     union all ${record('characteristic', DATA_TYPES.characteristic, '$5')}
     union all ${record('event model', DATA_TYPES.eventModel, '$6')}
     limit 1`,
    [
      domainId,
      systems ?? [],
      components ?? [],
      services ?? [],
      characteristics ?? [],
      eventModels ?? [],
      systemUuid,
      units,
    ],
  )
}
