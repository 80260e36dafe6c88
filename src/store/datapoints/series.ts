import type { Sql } from '../../db/sql.ts'
import type { ValueKind } from '../../datapoints/value.ts'
import { fromLines, toLines } from '../lines.ts'

export interface SeriesKey {
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
  readonly kind: ValueKind
}

export interface Series extends SeriesKey {
  readonly id: number
}

const COLUMNS = ['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid', 'value_kind']

const FOUND = `s.id, s.system_uuid as "systemUuid", s.component_uuid as "componentUuid", s.service_uuid as "serviceUuid",
  s.characteristic_uuid as "characteristicUuid", s.value_kind as kind`

/** Those of these that there are. */
export async function findSeries(sql: Sql, domainId: number, keys: readonly SeriesKey[]): Promise<Series[]> {
  if (keys.length === 0) return []
  return sql.query<Series>(
    `select ${FOUND} from ${fromLines('wanted', COLUMNS, 2)}
     join series s on s.domain_id = $1 and s.component_uuid = wanted.component_uuid::uuid
       and s.service_uuid = wanted.service_uuid::uuid and s.characteristic_uuid = wanted.characteristic_uuid::uuid
       and s.system_uuid = wanted.system_uuid::uuid and s.value_kind = wanted.value_kind`,
    [domainId, ...linesOf(keys)],
  )
}

/** Makes those that are missing, whoever else is doing so: two statements. */
export async function ensureSeries(
  sql: Sql,
  domainId: number,
  keys: readonly SeriesKey[],
  now: Date,
): Promise<Series[]> {
  if (keys.length === 0) return []
  await sql.query(
    `insert into series (domain_id, id, ${COLUMNS.join(', ')}, created_at)
     select $1, nextval('series_ids'), system_uuid::uuid, component_uuid::uuid, service_uuid::uuid,
       characteristic_uuid::uuid, value_kind, $2::timestamptz
     from ${fromLines('new', COLUMNS, 3)} order by 4, 5, 6, 3, 7 on conflict do nothing`,
    [domainId, now.toISOString(), ...linesOf(keys)],
  )
  return findSeries(sql, domainId, keys)
}

function linesOf(keys: readonly SeriesKey[]): string[] {
  return [
    toLines(keys.map(({ systemUuid }) => systemUuid)),
    toLines(keys.map(({ componentUuid }) => componentUuid)),
    toLines(keys.map(({ serviceUuid }) => serviceUuid)),
    toLines(keys.map(({ characteristicUuid }) => characteristicUuid)),
    toLines(keys.map(({ kind }) => kind)),
  ]
}
