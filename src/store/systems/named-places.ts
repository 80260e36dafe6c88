import type { Sql } from '../../db/sql.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'

/** What somebody has named: systems and components by uuid, event models by key, all else by either. */
export interface NamedPlaces {
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  readonly characteristics?: readonly string[] | undefined
  readonly eventModels?: readonly string[] | undefined
}

export interface UnknownPlace {
  readonly what: string
  readonly name: string
}

const record = (what: string, type: string, parameter: string) =>
  `select '${what}' as what, wanted.name from unnest(${parameter}::text[]) wanted (name) where not exists (
     select from records r where r.domain_id = $1 and r.type = '${type}' and (r.key = wanted.name or r.uuid::text = wanted.name))`

/** Where all that is named must be; null: anywhere. */
export interface Bounds {
  readonly systemUuid: string | null
  /** Of the units of systems. */
  readonly units: readonly string[] | null
}

/** Those that there are not; for whoever is bound: not there. */
export async function fetchUnknownPlaces(
  sql: Sql,
  domainId: number,
  { systems, components, services, characteristics, eventModels }: NamedPlaces,
  { systemUuid, units }: Bounds,
): Promise<UnknownPlace[]> {
  return sql.query<UnknownPlace>(
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
