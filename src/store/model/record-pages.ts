import { INT8, JSONB_OBJECT, nullable } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import {
  isBeyond,
  orderBy,
  PLACE,
  placeColumn,
  readCursor,
  toPlaced,
  type ListOrder,
  type OrderColumn,
  type Placed,
} from '../cursors.ts'
import { isAround } from './around.ts'
import { inCanonicalOrder, RECORD, RECORD_COLUMNS, type StoredRecord, RECORD_KEY } from './records.ts'

type RecordOrderField = 'KEY' | 'CREATED_AT' | 'UPDATED_AT'

export interface RecordFilter {
  readonly status?: readonly string[]
  readonly keys?: readonly string[]
  /** Part of the key or the name, in any case. */
  readonly search?: string
  /** Only these records, and those that refer to them. */
  readonly around?: readonly string[] | undefined
}

export interface RecordQuery {
  readonly first: number
  readonly filter: RecordFilter
  readonly order: { readonly by: RecordOrderField; readonly direction: 'ASC' | 'DESC' }
  /** The cursor after which to go on. */
  readonly after: string | null
  /** So many are counted, and one more where there are more; left out if all of them are. */
  readonly mostCounted?: number
}

const ORDER_COLUMNS: { readonly [field in RecordOrderField]: OrderColumn } = {
  KEY: 'key',
  CREATED_AT: 'created_at',
  UPDATED_AT: 'updated_at',
}

const IS_AROUND = isAround('$6')

/**
 * An index holds the compared text, except for texts that are too long for one (0014-record-search.sql). Those are read
 * one by one: asked whether one exists, PostgreSQL may look through all records first.
 */
const CONTAINS = `($5::text is null or strpos(r.search_text, (select lower($5))) > 0
  or (r.search_text is null and (
    select strpos(lower((long.key || E'\\n' || coalesce(long.body ->> 'name', '')) collate "default"), lower($5))
    from records long where long.domain_id = $1 and long.uuid = r.uuid) > 0))`

const MATCHES = `r.domain_id = $1 and r.type = $2
  and ($3::text[] is null or r.body ->> 'status' = any ($3))
  and ($4::text[] is null or r.key = any ($4))
  and ${CONTAINS}
  and ${IS_AROUND}`

function filterValues(domainId: number, type: RecordTypeName, { status, keys, search, around }: RecordFilter) {
  return [domainId, type, status ?? null, keys ?? null, search ?? null, around ?? null]
}

/** Bodies of a page are read at once where they have no more bytes together. */
const FEW_BYTES = 1_048_576
const BYTES = `sum(octet_length(r.body::text)) over ()`
const PAGED = { ...RECORD, ...PLACE, body: nullable(JSONB_OBJECT), bytes: INT8 }

/**
 * A page has one record more than asked for, where there is one, so that the caller knows whether a next page exists.
 * The bytes of its bodies are taken from the budget, which may refuse them, before many are read.
 */
export async function fetchRecordPage(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  query: RecordQuery,
  budget: { take(bytes: number): void },
): Promise<Placed<StoredRecord>[]> {
  const order = orderOf(query, type)
  const { around } = query.filter
  const place = await readCursor(order, query.after, (uuid) => fetchPlace(sql, domainId, type, { order, around, uuid }))
  // Bodies are read of the records of the page alone: an index has all that a search needs.
  const read = (mostBytes: number) =>
    sql.rows(
      PAGED,
      `select ${RECORD_COLUMNS.replace('r.body', `case when ${BYTES} <= ${mostBytes} then r.body end as body`)},
         ${placeColumn(order, 'r')}, ${BYTES} as bytes from (
         select r.uuid from records r
         where ${MATCHES} and ${isBeyond(order, 'r', place, 8)}
         ${orderBy(order, 'r')} limit $7) found
       join records r on r.domain_id = $1 and r.uuid = found.uuid
       ${orderBy(order, 'r')}`,
      [...filterValues(domainId, type, query.filter), query.first + 1, ...(place ?? [])],
    )
  const rows = await read(FEW_BYTES)
  const bytes = rows[0]?.bytes ?? 0
  budget.take(bytes)
  return (bytes <= FEW_BYTES ? rows : await read(bytes)).map(({ bytes: _, body, ...row }) =>
    toPlaced(order, inCanonicalOrder({ ...row, body: body ?? {} })),
  )
}

function orderOf({ order: { by, direction } }: RecordQuery, type: RecordTypeName): ListOrder {
  return { list: type, by: ORDER_COLUMNS[by], isDescending: direction === 'DESC' }
}

interface Sought {
  readonly order: ListOrder
  readonly around: RecordFilter['around']
  readonly uuid: string
}

/** A record that the filter hides is no place to go on from: its place in the order would be told. */
async function fetchPlace(sql: Sql, domainId: number, type: RecordTypeName, { order, around, uuid }: Sought) {
  const [found] = await sql.rows(
    PLACE,
    `select ${placeColumn(order, 'r')} from records r
     where r.domain_id = $1 and r.type = $2 and r.uuid = $3::uuid and ${isAround('$4')}`,
    [domainId, type, uuid, around ?? null],
  )
  return found?.place ?? null
}

export async function countRecords(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  { filter, mostCounted }: Pick<RecordQuery, 'filter' | 'mostCounted'>,
): Promise<number> {
  if (mostCounted === 0) return 0
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) as count from (select from records r where ${MATCHES} limit $7) counted`,
    [...filterValues(domainId, type, filter), mostCounted === undefined ? null : mostCounted + 1],
  )
  return row?.count ?? 0
}

/** How many records each type has, and how many of them differ from the last apply. */
export interface TypeCount {
  readonly type: RecordTypeName
  readonly records: number
  readonly drifted: number
}

interface CountedTypes {
  readonly types: readonly RecordTypeName[]
  readonly hidden: readonly RecordTypeName[]
  /** Hides other records of the types `hidden`: see `RecordFilter`. */
  readonly around: readonly string[] | null
}

/** Each type is counted for itself, in an index that has nothing but types and keys. */
export async function fetchModelCounts(
  sql: Sql,
  domainId: number,
  { types, hidden, around }: CountedTypes,
): Promise<TypeCount[]> {
  return sql.rows(
    { type: RECORD_KEY.type, records: INT8, drifted: INT8 },
    `select counted.type, (
         select count(*) from records r where r.domain_id = $1 and r.type = counted.type
           and (not counted.type = any ($2) or ${isAround('$3')})
       ) as records, (
         select count(*) from record_drift d where d.domain_id = $1 and d.type = counted.type and $3::uuid[] is null
       ) as drifted
     from unnest($4::text[]) counted (type)`,
    [domainId, hidden, around, types],
  )
}
