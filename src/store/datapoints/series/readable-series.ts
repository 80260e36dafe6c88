import { KINDS } from '../../../datapoints/chunks/flush.ts'
import { BYTEA, INT8, JSONB_OBJECT, nullable, oneOf, TEXT, UUID } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { isUuid } from '../../../lib/uuid.ts'
import type { RecordBody } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { namedRecords, inCanonicalOrder } from '../../model/records.ts'
import { narrowestOf } from '../../narrowest.ts'
import { ERASED, erasedOf } from '../erased-ranges.ts'

/** Selects the series that match all given members. A service or characteristic is named by its UUID or its key. */
export interface SeriesFilter {
  readonly ids?: readonly number[] | undefined
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[] | undefined
  readonly services?: readonly string[] | undefined
  readonly characteristics?: readonly string[] | undefined
  /** The UUIDs of organizations or units, without the units below them. */
  readonly units?: readonly string[] | undefined
}

const SERIES = {
  id: INT8,
  kind: oneOf(KINDS),
  systemUuid: UUID,
  /** The unit of the series' system. */
  unitUuid: nullable(UUID),
  componentUuid: UUID,
  serviceUuid: UUID,
  characteristicUuid: UUID,
  erased: ERASED,
}

export type StoredSeries = RowOf<typeof SERIES>

const NAMED = { uuid: UUID, key: TEXT, body: nullable(JSONB_OBJECT) }
const CHARACTERISTIC_BODY = { uuid: UUID, body: JSONB_OBJECT }

type CharacteristicBody = RowOf<typeof CHARACTERISTIC_BODY>

const SERVICES = namedRecords({ type: DATA_TYPES.service, names: '$4', uuids: '$9' }, 'r.uuid')
const CHARACTERISTICS = namedRecords({ type: DATA_TYPES.characteristic, names: '$5', uuids: '$10' }, 'r.uuid')

/** The filters that select few of many series. Each has its own index. */
const NARROW: readonly (keyof SeriesFilter)[] = ['ids', 'components', 'systems']

/**
 * Reads at most `limit` series, in no particular order. `fetchNames` reads the names of their services and
 * characteristics separately: a thousand series have few of them, and a join took longer than everything else.
 */
export async function fetchReadableSeries(
  sql: Sql,
  domainId: number,
  filter: SeriesFilter,
  limit: number,
): Promise<StoredSeries[]> {
  return sql.rows(
    SERIES,
    `select s.id, s.value_kind as kind, s.system_uuid as "systemUuid", s.unit_uuid as "unitUuid",
       s.component_uuid as "componentUuid", s.service_uuid as "serviceUuid", s.characteristic_uuid as "characteristicUuid",
       hidden.ranges as erased
     from series s cross join lateral (select ${erasedOf('s.id')} as ranges) hidden
     where ${selectedBy(filter)} limit $6`,
    valuesOf(domainId, filter, limit),
  )
}

const PACKED_IDS = { ids: nullable(BYTEA) }

/** Reads the numbers of all series of a filter, which may be millions. */
export async function fetchIdsOfSeries(sql: Sql, domainId: number, filter: SeriesFilter): Promise<number[]> {
  const [row] = await sql.rows(
    PACKED_IDS,
    `select string_agg(int8send(found.id), ''::bytea) as ids
     from (select s.id from series s where ${selectedBy(filter)} limit $6) found`,
    valuesOf(domainId, filter, null),
  )
  const packed = Buffer.from(row?.ids ?? [])
  return Array.from({ length: packed.length / 8 }, (_, index) => Number(packed.readBigInt64BE(index * 8)))
}

/** SQL for the series `s` that match a filter. */
function selectedBy(filter: SeriesFilter): string {
  const { shown } = narrowestOf(filter, NARROW)
  return `s.domain_id = $1
       and ($7::bigint[] is null or s.id = any ($7::bigint[]))
       and ($2::uuid[] is null or ${shown('systems', 's.system_uuid = any ($2::uuid[])')})
       and ($3::uuid[] is null or ${shown('components', 's.component_uuid = any ($3::uuid[])')})
       and ($4::text[] is null
         or ${shown('others', `s.service_uuid = any (array(${SERVICES}))`)})
       and ($5::text[] is null
         or ${shown('others', `s.characteristic_uuid = any (array(${CHARACTERISTICS}))`)})
       and ($8::uuid[] is null or ${shown('others', 's.unit_uuid = any ($8::uuid[])')})`
}

function valuesOf(domainId: number, filter: SeriesFilter, limit: number | null) {
  const { ids, systems, components, services, characteristics, units } = filter
  return [
    domainId,
    systems ?? null,
    components ?? null,
    services ?? null,
    characteristics ?? null,
    limit,
    ids?.map(String) ?? null,
    units ?? null,
    (services ?? []).filter(isUuid),
    (characteristics ?? []).filter(isUuid),
  ]
}

/** The names of services and characteristics, to show the points of series. */
interface SeriesNames {
  /** The keys of services by UUID. */
  readonly services: ReadonlyMap<string, string>
  readonly characteristics: ReadonlyMap<string, { readonly key: string; readonly body: RecordBody }>
}

export async function fetchNames(sql: Sql, domainId: number, series: readonly StoredSeries[]): Promise<SeriesNames> {
  if (series.length === 0) return { services: new Map(), characteristics: new Map() }
  const services = new Set(series.map(({ serviceUuid }) => serviceUuid))
  const characteristics = new Set(series.map(({ characteristicUuid }) => characteristicUuid))
  const rows = await sql.rows(
    NAMED,
    `select r.uuid, r.key, case when r.type = '${DATA_TYPES.characteristic}' then r.body end as body
     from records r where r.domain_id = $1 and r.uuid = any ($2::uuid[])`,
    [domainId, [...services, ...characteristics]],
  )
  const named = rows.flatMap(({ body, ...row }) => (body === null ? [] : [inCanonicalOrder({ ...row, body })]))
  return {
    services: new Map(rows.flatMap(({ uuid, key, body }) => (body === null ? [[uuid, key]] : []))),
    characteristics: new Map(named.map(({ uuid, key, body }) => [uuid, { key, body }])),
  }
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
