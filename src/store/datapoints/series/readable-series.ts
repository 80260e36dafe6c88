import { KINDS } from '../../../datapoints/chunks/flush.ts'
import { INT8, JSONB_OBJECT, nullable, oneOf, TEXT, UUID } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { inCanonicalOrder } from '../../model/records.ts'

/** The series that fit all that is said here. A service or characteristic is named by its uuid or its key. */
export interface SeriesFilter {
  readonly ids?: readonly number[] | undefined
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  readonly characteristics?: readonly string[] | undefined
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const SERIES = {
  id: INT8,
  kind: oneOf(KINDS),
  systemUuid: UUID,
  /** The unit of its system. */
  unitUuid: nullable(UUID),
  componentUuid: UUID,
  serviceUuid: UUID,
  serviceKey: TEXT,
  characteristicUuid: UUID,
  characteristicKey: TEXT,
}

/** A series with the names under which its points are shown. */
export type StoredSeries = RowOf<typeof SERIES>

const CHARACTERISTIC_BODY = { uuid: UUID, body: JSONB_OBJECT }

export type CharacteristicBody = RowOf<typeof CHARACTERISTIC_BODY>

/**
 * The series by component, service and characteristic; no more than `limit`. Their bodies are fetched apart
 * (`fetchBodies`).
 */
export async function fetchReadableSeries(
  sql: Sql,
  domainId: number,
  { ids, systems, components, services, characteristics, units }: SeriesFilter,
  limit: number,
): Promise<StoredSeries[]> {
  return sql.rows(
    SERIES,
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
  const rows = await sql.rows(
    CHARACTERISTIC_BODY,
    `select r.uuid, r.body from records r where r.domain_id = $1 and r.uuid = any ($2::uuid[])`,
    [domainId, characteristicUuids],
  )
  return rows.map(inCanonicalOrder)
}
