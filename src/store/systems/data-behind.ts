import type { Sql } from '../../db/sql.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { PARTS_OF_SYSTEMS } from './systems.ts'
import { keyLines, recordsByKey } from '../model/records.ts'

const { characteristic, service, componentModel, eventModel, unit } = DATA_TYPES
const HOLDING: readonly string[] = [characteristic, service, componentModel, eventModel, unit]

/** Whether records of this type can have data behind them. */
export function holdsData(type: string): boolean {
  return HOLDING.includes(type)
}

/**
 * SQL for the keys of the rows of a table that belong to rows of `of`. Each is found through an index. For an `or` of
 * conditions, PostgreSQL would read the whole table.
 */
const behind = (table: string, column: string, of: string, key = 'uuid'): string =>
  `select own.${key} from ${of} cross join lateral (
     select t.${key} from ${table} t where t.domain_id = $1 and t.${column} = ${of}.uuid offset 0) own`

const ofDefinitions = (table: string, key: string): string =>
  `${behind(table, 'service_uuid', 'named', key)} union ${behind(table, 'characteristic_uuid', 'named', key)}`

/**
 * Deletes the data that depends on records that are about to be deleted: components of a component model, events of an
 * event model or of these components, and all their series and setpoints. If a unit is deleted, its systems stay with
 * their data, and belong to no unit. It takes one statement, or two if units are deleted. Dependent rows are deleted
 * first, because Citus runs the parts of the statement one after the other.
 */
export async function deleteDataBehind(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<void> {
  const holding = keys.filter(({ type }) => holdsData(type))
  if (holding.length === 0) return
  await sql.query(
    `with named as materialized (
       select r.uuid from ${recordsByKey(2)}
     ), doomed_components as materialized (
       ${behind('components', 'model_uuid', 'named')}
     ), doomed_events as materialized (
       ${behind('events', 'model_uuid', 'named')} union ${behind('events', 'component_uuid', 'doomed_components')}
     ), lost_events as (
       delete from events e where e.domain_id = $1 and e.uuid = any (array(select uuid from doomed_events))
     ), lost_metadata as (
       delete from unique_metadata u where u.domain_id = $1 and u.holder_uuid = any (array(
         select uuid from doomed_components union all select uuid from doomed_events))
     ), doomed_setpoints as (
       select p.uuid from setpoints p where p.domain_id = $1 and p.uuid = any (array(
         ${ofDefinitions('setpoints', 'uuid')} union ${behind('setpoints', 'component_uuid', 'doomed_components')}))
       order by p.uuid for update
     ), lost_setpoints as (
       delete from setpoints p where p.domain_id = $1 and p.uuid = any (array(select uuid from doomed_setpoints))
     ), gone_series as (
       delete from series s where s.domain_id = $1 and s.id = any (array(
         ${ofDefinitions('series', 'id')} union ${behind('series', 'component_uuid', 'doomed_components', 'id')}))
       returning s.id
     ), remembered as (
       insert into lost_series (domain_id, series_id, lost_at) select $1, id, now() from gone_series
       returning series_id
     ), lost_chunks as (
       delete from datapoint_chunks chunk
       where chunk.domain_id = $1 and chunk.series_id = any (array(select id from gone_series))
     ), left_alone as (
       update systems s set unit_uuid = null
       where s.domain_id = $1 and s.uuid = any (array(${behind('systems', 'unit_uuid', 'named')}))
     )
     delete from components c where c.domain_id = $1 and c.uuid = any (array(select uuid from doomed_components))`,
    [domainId, ...keyLines(holding)],
  )
  // This needs a separate statement, because one statement cannot both delete and update a row.
  if (holding.some(({ type }) => type === unit)) await leaveUnits(sql, domainId, holding)
}

async function leaveUnits(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<void> {
  await sql.query(
    `with named as materialized (
       select r.uuid from ${recordsByKey(2)}
     ), locked as (
       select p.uuid from setpoints p where p.domain_id = $1 and p.unit_uuid in (select uuid from named)
       order by p.uuid for update
     ), of_setpoints as (
       update setpoints t set unit_uuid = null from locked where t.domain_id = $1 and t.uuid = locked.uuid
     ), ${PARTS_OF_SYSTEMS.map(leftAlone).join(', ')}
     select`,
    [domainId, ...keyLines(keys)],
  )
}

const leftAlone = (table: string) => `of_${table} as (
  update ${table} t set unit_uuid = null from named where t.domain_id = $1 and t.unit_uuid = named.uuid)`
