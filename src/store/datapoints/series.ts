import { KINDS } from '../../datapoints/chunks/flush.ts'
import { INT8, oneOf, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { fromLines, toLines } from '../lines.ts'
import { firstNumberOfShard } from '../shard-keys.ts'

const SERIES_KEY = {
  systemUuid: UUID,
  componentUuid: UUID,
  serviceUuid: UUID,
  characteristicUuid: UUID,
  kind: oneOf(KINDS),
}
const SERIES = { ...SERIES_KEY, id: INT8 }

export type SeriesKey = RowOf<typeof SERIES_KEY>
export type Series = RowOf<typeof SERIES>

/** SQL for the numbers among `$2` whose series may be seen, under the setting of the transaction. */
export const VISIBLE_SERIES = `select s.id from series s where s.domain_id = $1 and s.id = any ($2::bigint[])`

const COLUMNS = ['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid', 'value_kind']

const TYPED = COLUMNS.map((name) => (name === 'value_kind' ? name : `${name}::uuid`))

const FOUND = `s.id, s.system_uuid as "systemUuid", s.component_uuid as "componentUuid", s.service_uuid as "serviceUuid",
  s.characteristic_uuid as "characteristicUuid", s.value_kind as kind`

/** The series that exist among these. */
export async function findSeries(sql: Sql, domainId: number, keys: readonly SeriesKey[]): Promise<Series[]> {
  if (keys.length === 0) return []
  return sql.rows(
    SERIES,
    `select ${FOUND} from ${fromLines('wanted', TYPED, 2)}
     join series s on s.domain_id = $1 and s.component_uuid = wanted.component_uuid
       and s.service_uuid = wanted.service_uuid and s.characteristic_uuid = wanted.characteristic_uuid
       and s.system_uuid = wanted.system_uuid and s.value_kind = wanted.value_kind`,
    [domainId, ...linesOf(keys)],
  )
}

/**
 * Makes the series that are missing, though other processes may be doing the same. The transaction holds the domain's
 * lock, so that no system moves to another unit meanwhile. A series of a system that may not be seen is left out.
 */
export async function ensureSeries(
  sql: Sql,
  domainId: number,
  keys: readonly SeriesKey[],
  now: Date,
): Promise<Series[]> {
  if (keys.length === 0) return []
  await sql.query(
    `insert into series (domain_id, id, shard_key, unit_uuid, ${COLUMNS.join(', ')}, created_at)
     select $1, nextval('series_ids') + ${firstNumberOfShard('system.shard_key')}, system.shard_key, system.unit_uuid, system.uuid, component_uuid, service_uuid,
       characteristic_uuid, value_kind, $2::timestamptz
     from ${fromLines('new', TYPED, 3)} join systems system on system.domain_id = $1 and system.uuid = system_uuid
     order by 6, 7, 8, 5, 9 on conflict do nothing`,
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
