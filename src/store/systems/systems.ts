import type { Status } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import type { JsonObject } from '../../lib/json.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'

export interface StoredSystem {
  readonly uuid: string
  readonly name: string
  readonly status: Status
  /** Whether it is a prototype; then all its components are, too. */
  readonly isPrototype: boolean
  /** The key of the organization or organization unit that it belongs to. */
  readonly organizationUnit: string | null
  readonly unitUuid: string | null
  /** Sorted by key, values in tagged form. */
  readonly metadata: readonly JsonObject[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `s.uuid, s.name, s.status, s.is_prototype as "isPrototype", unit.key as "organizationUnit", s.unit_uuid as "unitUuid", s.metadata, s.created_at as "createdAt",
  s.updated_at as "updatedAt"`
const FROM = `systems s left join records unit on unit.domain_id = s.domain_id and unit.uuid = s.unit_uuid`

export async function fetchSystems(sql: Sql, domainId: number, uuids: readonly string[]): Promise<StoredSystem[]> {
  if (uuids.length === 0) return []
  return sql.query<StoredSystem>(
    `select ${COLUMNS} from ${FROM} where s.domain_id = $1 and s.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
}

/** Its unit is named by its key. */
export type WrittenSystem = Omit<StoredSystem, 'unitUuid'>

/** False where there is one with this uuid. The unit must exist. */
export async function insertSystem(sql: Sql, domainId: number, system: WrittenSystem): Promise<boolean> {
  const rows = await sql.query(
    `insert into systems (domain_id, uuid, name, status, unit_uuid, metadata, created_at, updated_at, is_prototype)
     values ($1, $2::uuid, $3, $4, ${unitUuid('$5')}, $6::jsonb, $7::timestamptz, $7::timestamptz, $8)
     on conflict (domain_id, uuid) do nothing returning 1 as one`,
    [
      domainId,
      system.uuid,
      system.name,
      system.status,
      system.organizationUnit,
      JSON.stringify(system.metadata),
      system.createdAt.toISOString(),
      system.isPrototype,
    ],
  )
  return rows.length === 1
}

export async function updateStoredSystem(sql: Sql, domainId: number, system: WrittenSystem): Promise<void> {
  await sql.query(
    `update systems set name = $3, status = $4, unit_uuid = ${unitUuid('$5')}, metadata = $6::jsonb,
       updated_at = $7::timestamptz, is_prototype = $8
     where domain_id = $1 and uuid = $2::uuid`,
    [
      domainId,
      system.uuid,
      system.name,
      system.status,
      system.organizationUnit,
      JSON.stringify(system.metadata),
      system.updatedAt.toISOString(),
      system.isPrototype,
    ],
  )
}

/**
 * With a system that has come to another unit comes all that belongs to it. In a transaction that holds the domain's lock:
 * what is made meanwhile would keep the unit that the system had.
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
     ), ${['components', 'events', 'series'].map(followed).join(', ')}
     select`,
    [domainId, uuid],
  )
}

const followed = (table: string) => `of_${table} as (
  update ${table} t set unit_uuid = system.unit_uuid from system
  where t.domain_id = $1 and t.system_uuid = system.uuid)`

function unitUuid(key: string): string {
  return `(select u.uuid from records u where u.domain_id = $1 and u.type = '${DATA_TYPES.unit}' and u.key = ${key}::text)`
}

export interface SystemFilter {
  readonly uuids?: readonly string[] | undefined
  readonly status?: readonly string[]
  /** Keys of organizations or units; what is below them counts too. */
  readonly organizationUnits?: readonly string[]
  /** Part of the name, in any case. */
  readonly search?: string
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const MATCHES = `s.domain_id = $1
  and ($2::uuid[] is null or s.uuid = any ($2::uuid[]))
  and ($3::text[] is null or s.status = any ($3))
  and ($4::text[] is null or exists (
    select from unnest($4::text[]) wanted where unit.key = wanted or starts_with(unit.key, wanted || '/')))
  and ($5::text is null or strpos(lower(s.name), lower($5)) > 0)
  and ($6::uuid[] is null or s.unit_uuid = any ($6::uuid[]))`

function filterValues(domainId: number, { uuids, status, organizationUnits, search, units }: SystemFilter) {
  return [domainId, uuids ?? null, status ?? null, organizationUnits ?? null, search ?? null, units ?? null]
}

/** By name, after a system. */
export async function fetchSystemPage(
  sql: Sql,
  domainId: number,
  filter: SystemFilter,
  { first, after }: { readonly first: number; readonly after: string | null },
): Promise<StoredSystem[]> {
  return sql.query<StoredSystem>(
    `select ${COLUMNS} from ${FROM} where ${MATCHES} and ($7::uuid is null or (s.name, s.uuid) > (
       select name, uuid from systems
       where domain_id = $1 and uuid = $7::uuid and ($6::uuid[] is null or unit_uuid = any ($6::uuid[]))))
     order by s.name, s.uuid limit $8`,
    [...filterValues(domainId, filter), after, first],
  )
}

export async function countSystems(sql: Sql, domainId: number, filter: SystemFilter): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from ${FROM} where ${MATCHES}`,
    filterValues(domainId, filter),
  )
  return row?.count ?? 0
}
