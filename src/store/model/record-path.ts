import { INT8, TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { isAround } from './around.ts'
import { linked } from './links.ts'
import { RECORD_KEY } from './records.ts'

/** A record of the path. `total` counts all records of its step, even if only the first ones are returned. */
const STEP = { uuid: UUID, key: TEXT, total: INT8 }
export type PathRecord = RowOf<typeof STEP>

/** The records at the other end of the links of some records, without duplicates, by key. */
export async function fetchLinkedRecords(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  link: RecordTypeName,
  type: RecordTypeName,
): Promise<PathRecord[]> {
  if (uuids.length === 0) return []
  return sql.rows(
    STEP,
    `with far as materialized (
       select distinct far.uuid, far.key from unnest($2::uuid[]) given (uuid)
       cross join lateral ${linked('given.uuid', link, type)} far
     )
     select uuid, key, (select count(*) from far) as total from far order by key limit $3`,
    [domainId, uuids, MOST_STEPS],
  )
}

/** The maximum number of records with which the path continues. Fewer are shown. */
const MOST_STEPS = 1_000

/** The keys at the other end of the links of some records, up to a limit for each. */
export async function fetchLinkedKeys(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  link: RecordTypeName,
  type: RecordTypeName,
): Promise<{ readonly uuid: string; readonly key: string }[]> {
  if (uuids.length === 0) return []
  return sql.rows(
    { uuid: UUID, key: TEXT },
    `select given.uuid, far.key from unnest($2::uuid[]) given (uuid)
     cross join lateral (select key from ${linked('given.uuid', link, type)} far order by key limit $3) far
     order by given.uuid, far.key`,
    [domainId, uuids, MOST_OF_EACH],
  )
}

const MOST_OF_EACH = 6

const SYSTEM = { uuid: UUID, name: TEXT, components: INT8, systems: INT8, total: INT8 }
export type PathSystem = RowOf<typeof SYSTEM>

interface SystemsOfModels {
  readonly models: readonly string[]
  /** The maximum number of systems that are returned. */
  readonly most: number
  /** The maximum number of components that are read. One more is read to detect that the result is incomplete. */
  readonly mostComponents: number
}

/** The systems with components of some models, those with most components first. */
export async function fetchSystemsOfModels(
  sql: Sql,
  domainId: number,
  { models, most, mostComponents }: SystemsOfModels,
): Promise<PathSystem[]> {
  if (models.length === 0) return []
  return sql.rows(
    SYSTEM,
    `with used as materialized (
       select looked_at.system_uuid, count(*) as components from (
         select c.system_uuid from components c
         where c.domain_id = $1 and c.model_uuid = any ($2::uuid[]) limit $4) looked_at
       group by looked_at.system_uuid
     ), totals as (select count(*) as systems, coalesce(sum(components), 0)::int8 as total from used),
     most_used as (select * from used order by components desc, system_uuid limit $3)
     select s.uuid, s.name, most_used.components, totals.systems, totals.total
     from most_used cross join totals join systems s on s.domain_id = $1 and s.uuid = most_used.system_uuid
     order by most_used.components desc, s.name`,
    [domainId, models, most, mostComponents + 1],
  )
}

const REFERENCE = { ...RECORD_KEY, total: INT8 }
export type ReferringRecord = RowOf<typeof REFERENCE>

interface SeenReferences {
  /** The maximum number of records of each type. */
  readonly most: number
  /** Types that are not returned. */
  readonly never: readonly RecordTypeName[]
  /**
   * Types with restricted records: only the records in `around` and their referrers are returned (see
   * `RecordFilter`). If `around` is null, all records are returned.
   */
  readonly hidden: readonly RecordTypeName[]
  readonly around: readonly string[] | null
}

/** The references of a record, or those to it: the first ones of each type, and their number. */
export async function fetchReferencesOf(
  sql: Sql,
  domainId: number,
  uuid: string,
  direction: 'from' | 'to',
  { most, never, hidden, around }: SeenReferences,
): Promise<ReferringRecord[]> {
  const [own, other] = direction === 'from' ? ['from_uuid', 'to_uuid'] : ['to_uuid', 'from_uuid']
  return sql.rows(
    REFERENCE,
    `select type, key, total from (
       select r.type, r.key, count(*) over (partition by r.type) as total,
         row_number() over (partition by r.type order by r.key) as place
       from record_references f join records r on r.domain_id = $1 and r.uuid = f.${other}
       where f.domain_id = $1 and f.${own} = $2::uuid and not r.type = any ($4)
         and (not r.type = any ($5) or ${isAround('$6')})
     ) ranked where place <= $3 order by type, key`,
    [domainId, uuid, most, never, hidden, around],
  )
}

/** The number of series behind some records, counted up to `most`. */
export async function countSeriesOf(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  most: number,
): Promise<number> {
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) as count from (
       (select from series s where s.domain_id = $1 and s.characteristic_uuid = any ($2::uuid[]) limit $3)
       union all
       (select from series s where s.domain_id = $1 and s.service_uuid = any ($2::uuid[]) limit $3)
       union all
       (select from components c where c.domain_id = $1 and c.model_uuid = any ($2::uuid[]) limit $3)
     ) behind`,
    [domainId, uuids, most + 1],
  )
  return row?.count ?? 0
}
