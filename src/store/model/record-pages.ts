import { INT8 } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { isAround } from './around.ts'
import { inCanonicalOrder, RECORD, RECORD_COLUMNS, type StoredRecord } from './records.ts'

export type RecordOrderField = 'KEY' | 'CREATED_AT' | 'UPDATED_AT'

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
  /** The uuid of the record after which to go on. */
  readonly after: string | null
  /** So many are counted, and one more where there are more; left out where all of them are. */
  readonly mostCounted?: number
}

const ORDER_COLUMNS: { readonly [field in RecordOrderField]: string } = {
  KEY: 'r.key',
  CREATED_AT: 'r.created_at',
  UPDATED_AT: 'r.updated_at',
}

const IS_AROUND = isAround('$6')

/**
 * What is compared stands in an index, but for texts that are too long for one (0014-record-search.sql). Those are read
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

/**
 * A page has one record more than asked for, where there is one, so that the caller knows whether a next page exists.
 */
export async function fetchRecordPage(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  query: RecordQuery,
): Promise<StoredRecord[]> {
  const column = ORDER_COLUMNS[query.order.by]
  const [compare, direction] = query.order.direction === 'DESC' ? ['<', 'desc'] : ['>', 'asc']
  const order = `order by ${column} ${direction}, r.uuid ${direction}`
  // Bodies are read of the records of the page alone: an index has all that a search needs.
  const rows = await sql.rows(
    RECORD,
    `select ${RECORD_COLUMNS} from (
       select r.uuid from records r
       where ${MATCHES}
         and ($7::uuid is null or (${column}, r.uuid) ${compare} (
           select ${column}, r.uuid from records r where r.domain_id = $1 and r.type = $2 and r.uuid = $7::uuid and ${IS_AROUND}))
       ${order} limit $8) found
     join records r on r.domain_id = $1 and r.uuid = found.uuid
     ${order}`,
    [...filterValues(domainId, type, query.filter), query.after, query.first + 1],
  )
  return rows.map(inCanonicalOrder)
}

export async function countRecords(
  sql: Sql,
  domainId: number,
  type: RecordTypeName,
  { filter, mostCounted }: Pick<RecordQuery, 'filter' | 'mostCounted'>,
): Promise<number> {
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) as count from (select from records r where ${MATCHES} limit $7) counted`,
    [...filterValues(domainId, type, filter), mostCounted === undefined ? null : mostCounted + 1],
  )
  return row?.count ?? 0
}
