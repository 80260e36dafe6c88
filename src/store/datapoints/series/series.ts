import { KINDS } from '../../../datapoints/chunks/flush.ts'
import { INT8, oneOf, UUID } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { fromLines, toLines } from '../../lines.ts'

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

/** SQL for the visible series among the numbers `$2`. The settings of the transaction decide which are visible. */
export const VISIBLE_SERIES = `select s.id from series s where s.domain_id = $1 and s.id = any ($2::bigint[])`

const COLUMNS = ['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid', 'value_kind']

const TYPED = COLUMNS.map((name) => (name === 'value_kind' ? name : `${name}::uuid`))

/** The key by which an existing series is detected. The id is always new, so its index need not be checked. */
const UNIQUE = 'domain_id, component_uuid, service_uuid, characteristic_uuid, system_uuid, value_kind, definition'

const FOUND = `s.id, s.system_uuid as "systemUuid", s.component_uuid as "componentUuid", s.service_uuid as "serviceUuid",
  s.characteristic_uuid as "characteristicUuid", s.value_kind as kind`

/**
 * Reads the existing series of components. Each component must be given once. The statement compares only the
 * component: without statistics, PostgreSQL assumes that all compared columns are equally selective, and could read all
 * series of a system or of a characteristic for each wanted series.
 */
export async function findSeries(sql: Sql, domainId: number, components: readonly string[]): Promise<Series[]> {
  if (components.length === 0) return []
  return sql.rows(
    SERIES,
    `select found.* from ${fromLines('wanted', ['component_uuid::uuid'], 2)}
     cross join lateral (
       select ${FOUND} from series s where s.domain_id = $1 and s.component_uuid = wanted.component_uuid offset 0
     ) found`,
    [domainId, toLines(components)],
  )
}

/**
 * Makes the missing series; other processes may do the same at once. The transaction must hold the lock of the domain,
 * so that no system moves to another unit meanwhile. Series of invisible systems are left out. Series get numbers in
 * the order of systems and components, so that series that are read together are in few blocks. Systems are looked up
 * one by one, because a join would read all systems of the domain (docs/decisions/0037). The outer `offset 0` lets Citus
 * read the systems on the machine of the domain, and draw the numbers on its own. If other processes have made some of
 * the series, the result is all series of the components.
 */
export async function ensureSeries(
  sql: Sql,
  domainId: number,
  keys: readonly SeriesKey[],
  now: Date,
): Promise<Series[]> {
  if (keys.length === 0) return []
  const made = await sql.rows(
    SERIES,
    `insert into series as s (domain_id, id, unit_uuid, ${COLUMNS.join(', ')}, created_at)
     select $1, nextval('series_ids'), found.*, $2::timestamptz from (
       select system.unit_uuid, system.uuid, component_uuid, service_uuid, characteristic_uuid, value_kind
       from ${fromLines('new', TYPED, 3)} cross join lateral (
         select s.uuid, s.unit_uuid from systems s where s.domain_id = $1 and s.uuid = new.system_uuid offset 0
       ) system offset 0
     ) found
     order by 4, 5, 6, 7, 8 on conflict (${UNIQUE}) do nothing returning ${FOUND}`,
    [domainId, now.toISOString(), ...linesOf(keys)],
  )
  if (made.length === keys.length) return made
  return findSeries(sql, domainId, [...new Set(keys.map(({ componentUuid }) => componentUuid))])
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
