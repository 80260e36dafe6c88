import { BOOL, INT8, TEXT } from '../../../db/columns.ts'
import type { Sql } from '../../../db/sql.ts'
import type { EntityFilterOf, EntityOf } from '../../../records/entity.ts'
import { lockOfDomain } from '../../domains.ts'
import { anyOf, matching, TEXTS, UUIDS } from '../../entity-filters.ts'
import type { Selection } from '../../entity-pages.ts'
import { instant } from '../../sql-times.ts'
import type { RowOf } from '../../../db/row-shape.ts'

/** The counts since the last write. Times are milliseconds since 1970. */
export interface CountedRefusals extends Omit<EntityOf<'RefusedDatapoint'>, 'uuid' | 'firstAt' | 'lastAt'> {
  /** Null in a rest, because a rest covers several days. */
  readonly day: string | null
  readonly firstAt: number
  readonly lastAt: number
}

/** SQL for the identity of a row. The sender comes last, because it may be any text. */
function identityOf(fields: readonly string[]): string {
  const text = `array_to_string(array[${fields.join(', ')}], ' ', '-')`
  return `left(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 32)::uuid`
}

const NAMES = ['system', 'component', 'service', 'characteristic']
const IDENTITY = identityOf(['new.day', 'new.code', ...NAMES.map((name) => `new."${name}Uuid"::text`), 'new.sender'])
const REST = identityOf(['null', 'gone.code', ...NAMES.map(() => 'null'), 'null'])

/** Takes a lock so that servers count one after the other. Otherwise row locks could cause a deadlock. */
export async function lockRefusals(sql: Sql, domainId: number): Promise<void> {
  await sql.query(lockOfDomain("'refused datapoints'"), [domainId])
}

/** Adds counts to the stored ones, under the lock. Tells whether there are more rows than before. */
export async function addRefusals(sql: Sql, domainId: number, refusals: readonly CountedRefusals[]): Promise<boolean> {
  const rows = await sql.rows(
    { isNew: BOOL },
    `insert into refused_datapoints as known (domain_id, uuid, code, system_uuid, unit_uuid, component_uuid, service_uuid,
       characteristic_uuid, sender, is_rest, count, first_at, last_at)
     select $1, ${IDENTITY}, new.code, system.uuid, system.unit_uuid, new."componentUuid", new."serviceUuid",
       new."characteristicUuid", new.sender, new."isRest", new.count, to_timestamp(new."firstAt" / 1000.0), to_timestamp(new."lastAt" / 1000.0)
     from jsonb_to_recordset($2::jsonb) as new (day text, code text, "systemUuid" uuid, "componentUuid" uuid,
       "serviceUuid" uuid, "characteristicUuid" uuid, sender text, "isRest" boolean, count int8, "firstAt" int8, "lastAt" int8)
     left join lateral (
       select uuid, unit_uuid from systems where domain_id = $1 and uuid = new."systemUuid" limit 1) system on true
     on conflict (domain_id, uuid) do update set count = known.count + excluded.count,
       unit_uuid = excluded.unit_uuid, first_at = least(known.first_at, excluded.first_at),
       last_at = greatest(known.last_at, excluded.last_at)
     returning xmax = 0 as "isNew"`,
    [domainId, JSON.stringify(refusals)],
  )
  return rows.some(({ isNew }) => isNew)
}

interface RefusalRoom {
  readonly ofDomain: number
  readonly ofSender: number
}

/** Merges the oldest rows beyond the limits into the rest of the domain. The rest has one row for each code. */
export async function joinOldRefusals(sql: Sql, domainId: number, room: RefusalRoom): Promise<void> {
  await sql.query(
    `with ranked as materialized (
       select uuid, row_number() over (order by last_at desc, uuid) as place,
         row_number() over (partition by sender order by last_at desc, uuid) as place_of_sender
       from refused_datapoints where domain_id = $1 and sender is not null
     ), gone as (
       delete from refused_datapoints r using ranked
       where r.domain_id = $1 and r.uuid = ranked.uuid and (ranked.place > $2 or ranked.place_of_sender > $3)
       returning r.code, r.count, r.first_at, r.last_at
     )
     insert into refused_datapoints as rest (domain_id, uuid, code, is_rest, count, first_at, last_at)
     select $1, ${REST}, gone.code, true, sum(gone.count)::int8, min(gone.first_at), max(gone.last_at)
     from gone group by gone.code
     on conflict (domain_id, uuid) do update set count = rest.count + excluded.count,
       first_at = least(rest.first_at, excluded.first_at), last_at = greatest(rest.last_at, excluded.last_at)`,
    [domainId, room.ofDomain, room.ofSender],
  )
}

/** Refusals before these times are deleted: one time for each of these characteristics, and one for all others. */
interface RefusalLimits {
  readonly characteristics: readonly { readonly uuid: string; readonly before: number }[]
  readonly others: number
}

/**
 * Times are microseconds since 1970. It compares intervals, because Citus takes only immutable functions of a column.
 */
export async function deleteRefusalsBefore(sql: Sql, domainId: number, limits: RefusalLimits): Promise<void> {
  await sql.query(
    `delete from refused_datapoints r where r.domain_id = $1 and r.last_at - timestamptz 'epoch' < interval '1 microsecond' * coalesce(
       (select own.before from jsonb_to_recordset($2::jsonb) as own (uuid uuid, before int8)
        where own.uuid = r.characteristic_uuid), $3::int8)`,
    [domainId, JSON.stringify(limits.characteristics), limits.others],
  )
}

/** Times are microseconds since 1970. */
interface RefusalFilter extends Omit<EntityFilterOf<'RefusedDatapoint'>, 'from' | 'to'> {
  readonly from?: number
  readonly to?: number
  /** The UUIDs of organizations or units, without the units below them. */
  readonly units?: readonly string[] | undefined
}

const match = matching<Omit<RefusalFilter, 'units'>>({
  systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
  components: { type: UUIDS, holds: anyOf('e.component_uuid') },
  characteristics: { type: UUIDS, holds: anyOf('e.characteristic_uuid') },
  codes: { type: TEXTS, holds: anyOf('e.code') },
  from: { type: 'int8', holds: (given) => `e.last_at >= ${instant(given)}` },
  to: { type: 'int8', holds: (given) => `e.first_at < ${instant(given)}` },
})

export function refusalsMeant(filter: RefusalFilter): Selection {
  return { ...match(filter), units: filter.units }
}

const REFUSED_SINCE = {
  code: TEXT,
  count: INT8,
  /** Refusals in counts that began before the moment. Some of them may be from before it. */
  perhaps: INT8,
}

export type RefusedSince = RowOf<typeof REFUSED_SINCE>

/** Counts refused datapoints since a moment, by code. If `characteristics` is null, it counts all of them. */
export async function fetchRefusedSince(
  sql: Sql,
  domainId: number,
  characteristics: readonly string[] | null,
  since: Date,
): Promise<RefusedSince[]> {
  return sql.rows(
    REFUSED_SINCE,
    `select code,
       coalesce(sum(count) filter (where first_at >= $3::timestamptz), 0)::int8 as count,
       coalesce(sum(count) filter (where first_at < $3::timestamptz), 0)::int8 as perhaps
     from refused_datapoints
     where domain_id = $1 and last_at >= $3::timestamptz and ($2::uuid[] is null or characteristic_uuid = any ($2::uuid[]))
     group by code order by count desc, code`,
    [domainId, characteristics, since.toISOString()],
  )
}
