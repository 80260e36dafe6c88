import { TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { isUuid } from '../../lib/uuid.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { namedRecords } from '../model/records.ts'
import { hidden } from '../narrowest.ts'

/** The names in a request: systems and components by uuid, event models by key, all others by either. */
export interface NamedFilters {
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  readonly characteristics?: readonly string[] | undefined
  readonly eventModels?: readonly string[] | undefined
}

const UNKNOWN = { what: TEXT, name: TEXT }

type UnknownName = RowOf<typeof UNKNOWN>

/** SQL for the names that were not found. */
const unknown = (what: string, names: string, found: string) =>
  `select '${what}' as what, wanted.name from unnest(${names}::text[]) wanted (name)
   where wanted.name <> all (array(${found}))`

const unknownRecords = (what: string, named: Parameters<typeof namedRecords>[0]) =>
  unknown(what, named.names, namedRecords(named, 'r.key', 'r.uuid::text'))

const isWithin = (alias: string) => `($8::uuid[] is null or ${hidden(`${alias}.unit_uuid = any ($8::uuid[])`)})`

/** The limits of the search. A member is null if it does not limit. */
interface Bounds {
  readonly systemUuid: string | null
  /** The units to which a system must belong. */
  readonly units: readonly string[] | null
}

/** The names that do not exist within the limits. */
export async function fetchUnknownNames(
  sql: Sql,
  domainId: number,
  { systems, components, services, characteristics, eventModels }: NamedFilters,
  { systemUuid, units }: Bounds,
): Promise<UnknownName[]> {
  return sql.rows(
    UNKNOWN,
    `${unknown(
      'system',
      '$2',
      `select s.uuid::text from systems s where s.domain_id = $1 and s.uuid = any ($2::text[]::uuid[])
         and ($7::uuid is null or ${hidden('s.uuid = $7::uuid')}) and ${isWithin('s')}`,
    )}
     union all ${unknown(
       'component',
       '$3',
       `select c.uuid::text from components c where c.domain_id = $1 and c.uuid = any ($3::text[]::uuid[])
          and ($7::uuid is null or ${hidden('c.system_uuid = $7::uuid')}) and ${isWithin('c')}`,
     )}
     union all ${unknownRecords('service', { type: DATA_TYPES.service, names: '$4', uuids: '$9' })}
     union all ${unknownRecords('characteristic', { type: DATA_TYPES.characteristic, names: '$5', uuids: '$10' })}
     union all ${unknown(
       'event model',
       '$6',
       `select r.key from records r where r.domain_id = $1 and r.type = '${DATA_TYPES.eventModel}' and r.key = any ($6::text[])`,
     )}
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
      (services ?? []).filter(isUuid),
      (characteristics ?? []).filter(isUuid),
    ],
  )
}

/** The uuids of the services and characteristics with these keys, in any order. */
export async function fetchUuidsOfKeys(
  sql: Sql,
  domainId: number,
  { services, characteristics }: { readonly services: readonly string[]; readonly characteristics: readonly string[] },
): Promise<{ readonly services: readonly string[]; readonly characteristics: readonly string[] }> {
  const { service, characteristic } = DATA_TYPES
  const rows = await sql.rows(
    { type: TEXT, uuid: UUID },
    `select r.type, r.uuid from records r where r.domain_id = $1
       and (r.type = '${service}' and r.key = any ($2::text[]) or r.type = '${characteristic}' and r.key = any ($3::text[]))`,
    [domainId, services, characteristics],
  )
  const uuidsOf = (wanted: string) => rows.flatMap(({ type, uuid }) => (type === wanted ? [uuid] : []))
  return { services: uuidsOf(service), characteristics: uuidsOf(characteristic) }
}
