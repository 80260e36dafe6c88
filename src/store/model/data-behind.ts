import type { Sql } from '../../db/sql.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { PARTS_OF_SYSTEMS } from '../systems/systems.ts'
import { keyLines, recordsByKey } from './records.ts'

const { characteristic, service, componentModel, eventModel, unit } = DATA_TYPES
const HOLDING: readonly string[] = [characteristic, service, componentModel, eventModel, unit]

/** Whether data may hang on records of this type. */
export function holdsData(type: string): boolean {
  return HOLDING.includes(type)
}

/**
 * Deletes the data that cannot be without the records that are about to be deleted: the components of a component
 * model, the events of an event model and of these components, the series and setpoints of all of them. A system stays
 * when its unit goes; it and all its data then belong to no unit. This takes one statement, and two where units are
 * deleted. What refers to something is deleted before it: Citus runs the parts of the statement one after the other.
 */
export async function deleteDataBehind(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<void> {
  const holding = keys.filter(({ type }) => holdsData(type))
  if (holding.length === 0) return
  await sql.query(
    `with named as materialized (
       select r.uuid from ${recordsByKey(2)}
     ), doomed_components as materialized (
       select c.uuid from components c join named on c.domain_id = $1 and c.model_uuid = named.uuid
     ), lost_events as (
       delete from events e where e.domain_id = $1 and (
         e.model_uuid in (select uuid from named) or e.component_uuid in (select uuid from doomed_components))
       returning e.uuid
     ), lost_places as (
       delete from shard_directory d where d.domain_id = $1 and (
         d.entity = 'components' and d.uuid in (select uuid from doomed_components)
         or d.entity = 'events' and d.uuid in (select uuid from lost_events))
     ), lost_metadata as (
       delete from unique_metadata u where u.domain_id = $1 and u.holder_uuid in (
         select uuid from doomed_components union all select uuid from lost_events)
     ), doomed_setpoints as (
       select p.uuid from setpoints p where p.domain_id = $1 and (
         p.service_uuid in (select uuid from named) or p.characteristic_uuid in (select uuid from named)
         or p.component_uuid in (select uuid from doomed_components))
       order by p.uuid for update
     ), lost_setpoints as (
       delete from setpoints p using doomed_setpoints doomed where p.domain_id = $1 and p.uuid = doomed.uuid
     ), gone_series as (
       delete from series s where s.domain_id = $1 and (
         s.service_uuid in (select uuid from named) or s.characteristic_uuid in (select uuid from named)
         or s.component_uuid in (select uuid from doomed_components))
       returning s.id, s.shard_key
     ), remembered as (
       insert into lost_series (domain_id, series_id, shard_key, lost_at) select $1, id, shard_key, now() from gone_series
       returning series_id
     ), lost_chunks as (
       delete from datapoint_chunks chunk using gone_series where chunk.domain_id = $1 and chunk.series_id = gone_series.id
     ), left_alone as (
       update systems s set unit_uuid = null from named where s.domain_id = $1 and s.unit_uuid = named.uuid
     )
     delete from components c using doomed_components doomed where c.domain_id = $1 and c.uuid = doomed.uuid`,
    [domainId, ...keyLines(holding)],
  )
  // This needs a statement of its own, since none can delete a row and change it.
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
