import { INT8, nullable, TEXT, UUID } from '../db/columns.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Sql } from '../db/sql.ts'
import type { DeletionCounts } from '../../generated/entities.ts'

/** A thing that somebody deletes, by the column that names it in the tables of data. */
export type Whole = 'system' | 'component'

const COUNTS = {
  systems: INT8,
  components: INT8,
  events: INT8,
  setpoints: INT8,
  credentials: INT8,
  idempotencyKeys: INT8,
}

/** Counts everything that is deleted with a system or component, except its datapoints. */
export async function countBehind(
  sql: Sql,
  domainId: number,
  whole: Whole,
  uuid: string,
): Promise<Omit<DeletionCounts, 'datapoints'>> {
  const of = (table: string) => `(select count(*) from ${table} where domain_id = $1 and ${whole}_uuid = $2::uuid)`
  const isSystem = whole === 'system'
  const [row] = await sql.rows(
    COUNTS,
    `select ${isSystem ? '1' : '0'}::int8 as systems, ${isSystem ? of('components') : '1::int8'} as components,
       ${of('events')} as events, ${of('setpoints')} as setpoints,
       ${isSystem ? of('system_credentials') : '0::int8'} as credentials,
       ${isSystem ? `(select count(*) from idempotency_keys k where k.domain_id = $1 and k.actor = any (array(${DEVICES})))` : '0::int8'}
         as "idempotencyKeys"`,
    [domainId, uuid],
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

const DEVICES = `select c.account_uuid::text from system_credentials c where c.domain_id = $1 and c.system_uuid = $2::uuid`

/** Returns the series of a system or component, in ascending order. */
export async function fetchSeriesOf(sql: Sql, domainId: number, whole: Whole, uuid: string): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select id from series where domain_id = $1 and ${whole}_uuid = $2::uuid order by id`,
    [domainId, uuid],
  )
  return rows.map(({ id }) => id)
}

/** The maximum number of events, and of setpoints, that one transaction deletes before the last one. */
export const MOST_AT_ONCE = 10_000

const SOME = { events: INT8, setpoints: INT8 }

/** Deletes some events and setpoints of a system or component, and counts them. */
export async function deleteSomeDataOf(
  sql: Sql,
  domainId: number,
  whole: Whole,
  uuid: string,
): Promise<RowOf<typeof SOME>> {
  const doomed = (table: string) =>
    `select uuid from ${table} where domain_id = $1 and ${whole}_uuid = $2::uuid limit ${MOST_AT_ONCE} for update skip locked`
  const [row] = await sql.rows(
    SOME,
    `with doomed_events as (${doomed('events')}), doomed_setpoints as (${doomed('setpoints')}), lost_metadata as (
       delete from unique_metadata where domain_id = $1 and holder_uuid = any (array(select uuid from doomed_events))
     ), lost_events as (
       delete from events where domain_id = $1 and uuid = any (array(select uuid from doomed_events)) returning 1
     ), lost_setpoints as (
       delete from setpoints where domain_id = $1 and uuid = any (array(select uuid from doomed_setpoints)) returning 1
     ) select (select count(*) from lost_events) as events, (select count(*) from lost_setpoints) as setpoints`,
    [domainId, uuid],
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

/** Forgets the history of a deletion that another transaction has begun. The caller writes it again. */
export async function forgetDeletion(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(`delete from deletions where domain_id = $1 and uuid = $2::uuid`, [domainId, uuid])
}

/**
 * Deletes a component, or all components of a system, with their events, setpoints and series. Their points are invisible
 * without the series, and upkeep removes them (docs/decisions/0074).
 */
export async function deleteDataOf(sql: Sql, domainId: number, whole: Whole, uuid: string): Promise<void> {
  const ofWhole = `domain_id = $1 and ${whole}_uuid = $2::uuid`
  const components = `domain_id = $1 and ${whole === 'system' ? 'system_uuid' : 'uuid'} = $2::uuid`
  await sql.query(
    `with lost_metadata as (
       delete from unique_metadata where domain_id = $1 and holder_uuid = any (array(
         select uuid from events where ${ofWhole} union all select uuid from components where ${components}
         union all select $2::uuid))
     ), lost_events as (
       delete from events where ${ofWhole}
     ), doomed_setpoints as (
       select uuid from setpoints where ${ofWhole} order by uuid for update
     ), lost_setpoints as (
       delete from setpoints where domain_id = $1 and uuid = any (array(select uuid from doomed_setpoints))
     ), gone_series as (
       delete from series where ${ofWhole} returning id
     ), remembered as (
       insert into lost_series (domain_id, series_id, lost_at) select $1, id, now() from gone_series returning series_id
     )
     delete from components where ${components}`,
    [domainId, uuid],
  )
}

const DEVICE = { uuid: UUID, username: nullable(TEXT) }

/** The accounts of the devices of a system. `username` is set if a record of the model has replaced the account. */
export function fetchDevicesOf(sql: Sql, domainId: number, systemUuid: string): Promise<RowOf<typeof DEVICE>[]> {
  return sql.rows(
    DEVICE,
    `select c.account_uuid as uuid, r.key as username from system_credentials c
     left join records r on r.domain_id = $1 and r.uuid = c.account_uuid
     where c.domain_id = $1 and c.system_uuid = $2::uuid order by c.account_uuid`,
    [domainId, systemUuid],
  )
}

/** Deletes a system without components, with the accounts of its devices and their Idempotency-Keys. */
export async function deleteEmptySystem(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `with devices as (
       delete from system_credentials where domain_id = $1 and system_uuid = $2::uuid returning account_uuid
     ), lost_accounts as (
       delete from platform_records where domain_id = $1 and uuid = any (array(select account_uuid from devices))
     ), lost_keys as (
       delete from idempotency_keys where domain_id = $1 and actor = any (array(select account_uuid::text from devices))
     )
     delete from systems where domain_id = $1 and uuid = $2::uuid`,
    [domainId, uuid],
  )
}

export async function deleteStoredEvent(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `with lost_metadata as (
       delete from unique_metadata where domain_id = $1 and holder_uuid = $2::uuid)
     delete from events where domain_id = $1 and uuid = $2::uuid`,
    [domainId, uuid],
  )
}

const STATE = { state: TEXT }

/**
 * A text that changes with the status and unit of a system or one of its components, and for a system with its components
 * and credentials. Nothing that is ARCHIVED gets events or setpoints.
 */
export async function fetchStateOf(sql: Sql, domainId: number, whole: Whole, systemUuid: string): Promise<string> {
  const parts = `(select encode(sha256(coalesce(string_agg(uuid::text, ' ' order by uuid), '')::bytea), 'hex') from (
    select uuid from components where domain_id = $1 and system_uuid = $2::uuid
    union all select account_uuid from system_credentials where domain_id = $1 and system_uuid = $2::uuid) part)`
  const [row] = await sql.rows(
    STATE,
    `select changed_in::text ${whole === 'system' ? `|| ' ' || ${parts}` : ''} as state from systems where domain_id = $1 and uuid = $2::uuid`,
    [domainId, systemUuid],
  )
  return row?.state ?? ''
}
