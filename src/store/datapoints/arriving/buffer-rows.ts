import { BOOL, BYTEA, INT4, INT8, nullable, TEXT } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { bufferTable } from '../packed/partitions.ts'
import { DAMAGED } from './domains-of-buffers.ts'

// Functions for rows of a buffer. No process may write to the buffer meanwhile, because a row is identified by its
// place in the table (ctid).

const BUFFER_ROW = {
  place: TEXT,
  domainId: INT8,
  generation: INT8,
  firstSeries: INT8,
  lastSeries: INT8,
  t0: INT8,
  t1: INT8,
  count: INT4,
  series: BYTEA,
  /** Null if they are too long to be read at once. */
  points: nullable(BYTEA),
  bytes: INT4,
  isCut: BOOL,
  isAll: BOOL,
}

/** A segment in a buffer. */
export type BufferRow = Omit<RowOf<typeof BUFFER_ROW>, 'isCut' | 'isAll'>

interface OldestRows {
  readonly rows: readonly BufferRow[]
  /** Tells whether the rows are only a part of one flush, which has more than the wanted bytes. */
  readonly isCut: boolean
  /** Tells whether the buffer has no other rows. */
  readonly isAll: boolean
}

/** Bytes of memory that a row takes in addition to its content. */
const BYTES_OF_ROW = 1_024

/**
 * Reads the oldest flushes of a buffer, of one domain or all, with at most `mostBytes` bytes in total. If the first flush
 * is larger, reads a part of it. PostgreSQL knows the sizes without reading the points.
 */
export async function fetchOldestRows(
  sql: Sql,
  buffer: number,
  mostBytes: number,
  domainId: number | null,
): Promise<OldestRows> {
  const table = bufferTable(buffer)
  const rows = await sql.rows(
    BUFFER_ROW,
    `with measured as (
       select ctid as place, generation, ${BYTES_OF_ROW} + octet_length(series) + octet_length(points) as bytes
       from ${table} where $2::bigint is null or domain_id = $2),
     summed as (
       select place, generation = min(generation) over () as "isFirst", sum(bytes) over (order by generation) as through,
         sum(bytes) over (order by generation, place) - bytes as before from measured),
     taken as (
       select place from summed where through <= $1 or "isFirst" and before < $1)
     select ctid::text as place, domain_id as "domainId", generation, series_lo as "firstSeries", series_hi as "lastSeries",
       t0, t1, count, series, case when octet_length(points) <= $1 then points end as points, octet_length(points) as bytes,
       (select min(through) > $1 from summed) as "isCut",
       (select count(*) from summed) = (select count(*) from taken) as "isAll"
     from ${table} where ctid = any (array(select place from taken)) order by generation`,
    [mostBytes, domainId],
  )
  return { rows, isCut: rows[0]?.isCut ?? false, isAll: rows[0]?.isAll ?? true }
}

/** Reads `size` bytes of the points of a row, from the byte `from` on. */
export async function fetchSlice(sql: Sql, buffer: number, place: string, from: number, size: number) {
  const [row] = await sql.rows(
    { bytes: BYTEA },
    `select substring(points from $2 for $3) as bytes from ${bufferTable(buffer)} where ctid = $1::text::tid`,
    [place, from + 1, size],
  )
  if (row === undefined) throw new Error('a row of a buffer is missing')
  return row.bytes
}

export async function deleteRows(sql: Sql, buffer: number, places: readonly string[]): Promise<void> {
  await sql.query(`delete from ${bufferTable(buffer)} where ctid = any ($1::text[]::tid[])`, [places])
}

/** SQL that notes the domains of unreadable rows for readers. */
const noteDamaged = (rows: string): string => `insert into domains_of_buffers (domain_id, buffer)
  select distinct domain_id, ${DAMAGED} from ${rows} on conflict do nothing`

/** Copies unreadable rows to a table that keeps them. */
export async function keepDamagedRows(sql: Sql, buffer: number, places: readonly string[]): Promise<void> {
  const columns = 'domain_id, generation, series_lo, series_hi, t0, t1, count, series, points'
  await sql.query(
    `with kept as (
       insert into datapoints_hot_damaged (buffer, ${columns})
       select ${DAMAGED}, ${columns} from ${bufferTable(buffer)} where ctid = any ($1::text[]::tid[]) returning domain_id)
     ${noteDamaged('kept')}`,
    [places],
  )
}

/** Counts the unreadable rows that are kept. It also notes the rows of earlier releases for readers. */
export async function countDamagedRows(database: Database): Promise<number> {
  const [row] = await database.rows(
    { rows: INT4 },
    `with noted as (${noteDamaged('datapoints_hot_damaged')})
     select count(*)::integer as rows from datapoints_hot_damaged`,
  )
  return row?.rows ?? 0
}
