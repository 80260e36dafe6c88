import type { Sql } from '../../db/sql.ts'
import type { ValueKind } from '../../datapoints/rules/value.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { inCanonicalOrder } from '../model/records.ts'

/** Which series are meant; all that is said must hold. A service or characteristic is named by its uuid or its key. */
export interface SeriesFilter {
  readonly ids?: readonly number[] | undefined
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  readonly characteristics?: readonly string[] | undefined
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

/** A series with what its points are shown by. */
export interface StoredSeries {
  readonly id: number
  readonly kind: ValueKind
  readonly systemUuid: string
  /** Of its system. */
  readonly unitUuid: string | null
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly serviceKey: string
  readonly characteristicUuid: string
  readonly characteristicKey: string
}

export interface CharacteristicBody {
  readonly uuid: string
  readonly body: RecordBody
}

/** By component, service and characteristic; no more than `limit`. Two statements with `fetchBodies`. */
export async function fetchReadableSeries(
  sql: Sql,
  domainId: number,
  { ids, systems, components, services, characteristics, units }: SeriesFilter,
  limit: number,
): Promise<StoredSeries[]> {
  return sql.query<StoredSeries>(
    `select s.id, s.value_kind as kind, s.system_uuid as "systemUuid", s.unit_uuid as "unitUuid", s.component_uuid as "componentUuid",
       s.service_uuid as "serviceUuid", service.key as "serviceKey",
       s.characteristic_uuid as "characteristicUuid", characteristic.key as "characteristicKey"
     from series s
     join records service on service.domain_id = $1 and service.uuid = s.service_uuid
       and service.type = '${DATA_TYPES.service}'
     join records characteristic on characteristic.domain_id = $1 and characteristic.uuid = s.characteristic_uuid
       and characteristic.type = '${DATA_TYPES.characteristic}'
     where s.domain_id = $1
       and ($7::bigint[] is null or s.id = any ($7::bigint[]))
       and ($2::uuid[] is null or s.system_uuid = any ($2::uuid[]))
       and ($3::uuid[] is null or s.component_uuid = any ($3::uuid[]))
       and ($4::text[] is null or service.key = any ($4::text[]) or service.uuid::text = any ($4::text[]))
       and ($5::text[] is null or characteristic.key = any ($5::text[]) or characteristic.uuid::text = any ($5::text[]))
       and ($8::uuid[] is null or s.unit_uuid = any ($8::uuid[]))
     order by s.component_uuid, service.key, characteristic.key, s.id limit $6`,
    [
      domainId,
      systems ?? null,
      components ?? null,
      services ?? null,
      characteristics ?? null,
      limit,
      ids?.map(String) ?? null,
      units ?? null,
    ],
  )
}

export async function fetchBodies(
  sql: Sql,
  domainId: number,
  characteristicUuids: readonly string[],
): Promise<CharacteristicBody[]> {
  if (characteristicUuids.length === 0) return []
  const rows = await sql.query<CharacteristicBody>(
    `select r.uuid, r.body from records r where r.domain_id = $1 and r.uuid = any ($2::uuid[])`,
    [domainId, characteristicUuids],
  )
  return rows.map(inCanonicalOrder)
}
