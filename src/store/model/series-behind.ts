import type { RecordTypeName } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'

const { characteristic, characteristicLink, service, serviceLink, componentModel } = DATA_TYPES

/** SQL for both ends of the link `named`. */
const ENDS = `record_references one
  join record_references other on other.domain_id = $1 and other.from_uuid = one.from_uuid`
const OF_LINK = `one.domain_id = $1 and one.from_uuid = named.uuid`

/** SQL for the series by the type of the record `named`. */
const SERIES: readonly (readonly [RecordTypeName, string])[] = [
  [characteristic, `series s where s.domain_id = $1 and s.characteristic_uuid = named.uuid`],
  [service, `series s where s.domain_id = $1 and s.service_uuid = named.uuid`],
  [
    componentModel,
    `components c join series s on s.domain_id = $1 and s.component_uuid = c.uuid
     where c.domain_id = $1 and c.model_uuid = named.uuid`,
  ],
  [
    characteristicLink,
    `${ENDS} join series s on s.domain_id = $1 and s.service_uuid = one.to_uuid and s.characteristic_uuid = other.to_uuid
     where ${OF_LINK}`,
  ],
  [
    serviceLink,
    `${ENDS} join components c on c.domain_id = $1 and c.model_uuid = other.to_uuid
     join series s on s.domain_id = $1 and s.component_uuid = c.uuid and s.service_uuid = one.to_uuid
     where ${OF_LINK}`,
  ],
]

/**
 * SQL for the series behind the records `named`, with one row per record and series. If the domain has no series,
 * nothing is searched, so that the number of records does not matter. `offset 0` keeps PostgreSQL from joining the
 * series before there is a record.
 */
export const SERIES_BEHIND = SERIES.map(
  ([type, from]) => `select named.type, named.key, behind.id, behind.system_uuid from named
    cross join lateral (select s.id, s.system_uuid from ${from} offset 0) behind
    where named.type = '${type}' and (select exists (select from series any_one where any_one.domain_id = $1))`,
).join(' union all ')

/** SQL for the number of points of the series `id` that are in chunks; null if there are none. */
export function foldedPoints(id: string): string {
  return `(select sum(chunk.count) from datapoint_chunks chunk where chunk.domain_id = $1 and chunk.series_id = ${id})`
}
