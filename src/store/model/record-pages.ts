import { INT8, JSONB_OBJECT, nullable } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordBody, RecordTypeName } from '../../records/record-type.ts'
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
import { hidden } from '../narrowest.ts'
import { isAround } from './around.ts'
import { inCanonicalOrder, RECORD, RECORD_COLUMNS, type StoredRecord, RECORD_KEY } from './records.ts'

type RecordOrderField = 'KEY' | 'CREATED_AT' | 'UPDATED_AT'

export interface RecordFilter {
  readonly status?: readonly string[]
  readonly keys?: readonly string[]
  /** A part of the key or the name, ignoring case. */
  readonly search?: string
  /** Only these records, and the records that refer to them. */
  readonly around?: readonly string[] | undefined
}

export interface RecordQuery {
  readonly first: number
  readonly filter: RecordFilter
  readonly order: { readonly by: RecordOrderField; readonly direction: 'ASC' | 'DESC' }
  /** The cursor after which the list continues. */
  readonly after: string | null
  /** The maximum number of records that are counted, plus one if there are more; left out to count all. */
  readonly mostCounted?: number
}

const ORDER_COLUMNS: { readonly [field in RecordOrderField]: OrderColumn } = {
  KEY: 'key',
  CREATED_AT: 'created_at',
  UPDATED_AT: 'updated_at',
}

const IS_AROUND = isAround('$6')

/**
 * SQL for the search. An index contains the search text, except if it is too long (0014-record-search.sql). Long texts
 * are read one by one, because with `exists` PostgreSQL might read all records first.
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

/** The maximum number of bytes of the bodies of a page that are read at once. */
const FEW_BYTES = 1_048_576
const BYTES = `sum(octet_length(r.body::text)) over ()`
const NAMED = { ...RECORD, body: nullable(JSONB_OBJECT), bytes: INT8 }
const PAGED = { ...NAMED, ...PLACE }

/**
 * Reads a page and, if there is one, the next record, so that the caller knows whether a next page exists. The bytes of
 * the bodies count towards the budget, which may reject them before they are read.
 */
export async function fetchRecordPage(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  query: RecordQuery,
  budget: Budget,
): Promise<Placed<StoredRecord>[]> {
  const order = orderOf(query, type)
  const { around } = query.filter
  const place = await readCursor(order, query.after, (uuid) => fetchPlace(sql, domainId, type, { order, around, uuid }))
  // Bodies are read only for the records of the page, because an index contains everything that a search needs.
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
  return (await withinBudget(read, budget)).map((row) => toPlaced(order, row))
}

/** Reads rows without their bodies first if these are long. `read` leaves out bodies that have more bytes together. */
async function withinBudget<Row extends { readonly bytes: number; readonly body: RecordBody | null }>(
  read: (mostBytes: number) => Promise<readonly Row[]>,
  budget: Budget,
): Promise<(Omit<Row, 'bytes' | 'body'> & { readonly body: RecordBody })[]> {
  const rows = await read(FEW_BYTES)
  const bytes = rows[0]?.bytes ?? 0
  budget.take(bytes)
  return (bytes <= FEW_BYTES ? rows : await read(bytes)).map(({ bytes: _, body, ...row }) =>
    inCanonicalOrder({ ...row, body: body ?? {} }),
  )
}

interface Budget {
  take(bytes: number): void
}

/** Names records of a type by their keys or uuids. */
export interface NamedBy {
  readonly by: 'key' | 'uuid'
  readonly names: readonly string[]
  /** Only these records, and those that refer to them; left out for all. */
  readonly around?: readonly string[] | undefined
}

const OF_TYPE = {
  key: 'r.type = $2 and r.key = any ($3::text[])',
  uuid: `($2::text is null or ${hidden('r.type = $2')}) and r.uuid = any ($3::uuid[])`,
}

/** Reads the existing records of a type among these, like a page. Uuids name records of any type if it is null. */
export async function fetchRecordsNamed(
  sql: Sql,
  domainId: number,
  type: RecordTypeName | null,
  { by, names, around }: NamedBy,
  budget: Budget,
): Promise<StoredRecord[]> {
  const read = (mostBytes: number) =>
    sql.rows(
      NAMED,
      `select ${RECORD_COLUMNS.replace('r.body', `case when ${BYTES} <= ${mostBytes} then r.body end as body`)}, ${BYTES} as bytes
       from records r where r.domain_id = $1 and ${OF_TYPE[by]} and ${isAround('$4')}`,
      [domainId, type, names, around ?? null],
    )
  return withinBudget(read, budget)
}

function orderOf({ order: { by, direction } }: RecordQuery, type: RecordTypeName): ListOrder {
  return { list: type, by: ORDER_COLUMNS[by], isDescending: direction === 'DESC' }
}

interface Sought {
  readonly order: ListOrder
  readonly around: RecordFilter['around']
  readonly uuid: string
}

/** The place of a record. Records that the filter hides are not found, because the place would reveal their order. */
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

/** The number of records of a type, and how many of them have drift. */
export interface TypeCount {
  readonly type: RecordTypeName
  readonly records: number
  readonly drifted: number
}

interface CountedTypes {
  readonly types: readonly RecordTypeName[]
  readonly hidden: readonly RecordTypeName[]
  /** Hides records of the types `hidden` unless they are near these (see `RecordFilter`). */
  readonly around: readonly string[] | null
}

/** Counts each type separately, by an index of types and keys. */
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
