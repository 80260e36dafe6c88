import { KINDS } from '../../../datapoints/chunks/flush.ts'
import { BYTEA, INT8, oneOf, INT4 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { DAY, ENOUGH_BYTES, MOST_CHARACTERS, SMALL, type ChunkRow } from '../../../datapoints/chunks/pack-series.ts'
import type { ValueKind } from '../../../records/values/value.ts'
import { acrossDomains, isOfDomains, valuesOf } from '../../across-domains.ts'
import { BinaryRows } from './binary-rows.ts'
import { beginOfMonth } from '../../../datapoints/chunks/chunk-partition.ts'

/** Encodes rows for `insertChunks`. It is a separate function so that another thread can run it. */
export function encodeChunkRows(rows: readonly ChunkRow[]): Uint8Array<ArrayBuffer> {
  const encoded = new BinaryRows(rows.reduce((sum, { points }) => sum + points.length + 322, 64))
  for (const { domainId, seriesId, kind, t0, t1, generation, count, span, last, summary, total, points } of rows) {
    encoded.row(14, 126)
    encoded.int8(domainId)
    encoded.int8(seriesId)
    encoded.int8(t0)
    encoded.int8(t1)
    encoded.int8(generation)
    encoded.int4(count)
    encoded.int2(span)
    writeLast(encoded, kind, last)
    encoded.bytes(summary)
    if (total === null) encoded.null()
    else encoded.bytes(total)
    encoded.bytes(points)
  }
  return encoded.finish()
}

function writeLast(encoded: BinaryRows, kind: ValueKind, { generation, value }: ChunkRow['last']): void {
  encoded.int8(generation)
  if (typeof value === 'number' && kind === 'float') encoded.float8(value)
  else encoded.null()
  if (typeof value === 'bigint') encoded.wide(value)
  else if (typeof value === 'number' && kind !== 'float') encoded.int8(value)
  else encoded.null()
  if (typeof value === 'string') encoded.text(value)
  else encoded.null()
}

/** Inserts chunks. Their partitions must exist. */
export async function insertChunks(sql: Transaction, encoded: Uint8Array): Promise<void> {
  const columns =
    'domain_id, series_id, t0, t1, generation, count, span, last_generation, last_float8, last_whole, last_text, summary, total, points'
  await sql.copyIn(`copy datapoint_chunks (${columns}) from stdin with (format binary)`, encoded)
}

export const CHUNK = { domainId: INT8, seriesId: INT8, kind: oneOf(KINDS), t0: INT8, points: BYTEA }

export type StoredChunk = RowOf<typeof CHUNK>

/** SQL for chunks `c` that are small (`isSmall`). The index of chunks to join has the same condition. */
export const IS_SMALL = `c.count < ${SMALL} and octet_length(c.points) < ${ENOUGH_BYTES}`

/**
 * SQL for the most bytes that a chunk `c` of a series `s` can have after unpacking. It is the smaller limit of two: the
 * limit of packing, and the highest compression of deflate (docs/decisions/0021).
 */
export const UNPACKED = `(case when s.value_kind <> 'text' then c.count * 24::bigint
  else least(octet_length(c.points) * 1032::bigint, case when c.count = 1 then 16777216 else ${MOST_CHARACTERS * 3} end) end)`

/** The bytes of chunks that are unpacked at once. */
export const UNPACKED_AT_ONCE = 33_554_432

const SERIES_DAY = {
  seriesId: INT8,
  /** Microseconds since 1970, at midnight (UTC). */
  day: INT8,
}

/** One day of one series. */
export type SeriesDay = RowOf<typeof SERIES_DAY>

const DAY_OF_DOMAIN = { domainId: INT8, ...SERIES_DAY }

export type DayOfDomain = RowOf<typeof DAY_OF_DOMAIN>

/**
 * Takes the small chunks of these days that end with their day out of the table, to merge and insert them. If they are
 * too many for the memory, takes only the first ones. It skips chunks that another transaction is taking or deleting.
 */
export async function takeSmallChunks(sql: Sql, domainId: number, days: readonly SeriesDay[]): Promise<StoredChunk[]> {
  return sql.rows(
    CHUNK,
    `with held as (
       select c.series_id, c.t0, c.generation, s.value_kind as kind, ${UNPACKED} as bytes
       from unnest($2::bigint[], $3::bigint[]) wanted (series_id, day)
       join datapoint_chunks c on c.domain_id = $1 and c.series_id = wanted.series_id
         and c.t0 >= wanted.day and c.t0 < wanted.day + ${DAY} and c.span = 0 and ${IS_SMALL}
       join series s on s.domain_id = $1 and s.id = c.series_id for update of c skip locked
     ), summed as materialized (
       select *, sum(bytes) over (order by series_id, t0, generation) - bytes as before from held
     ), gone as (
       delete from datapoint_chunks c using summed s
       where c.domain_id = $1 and c.series_id = s.series_id and c.t0 = s.t0 and c.generation = s.generation
         and s.before < ${UNPACKED_AT_ONCE}
       returning c.domain_id, c.series_id, s.kind, c.t0, c.points
     )
     select domain_id as "domainId", series_id as "seriesId", kind, t0, points from gone`,
    [domainId, days.map(({ seriesId }) => String(seriesId)), days.map(({ day }) => String(day))],
  )
}

/**
 * Finds days of a month with several small chunks. It returns only days whose chunks fit into memory together. It looks
 * at all chunks of the month.
 */
export function findSmallChunks(database: Database, month: number): Promise<DayOfDomain[]> {
  return acrossDomains(database, null, (domains) =>
    database.read((sql) =>
      sql.rows(
        DAY_OF_DOMAIN,
        `select domain_id as "domainId", series_id as "seriesId", t0 - t0 % ${DAY} as day from datapoint_chunks c
         where t0 >= $1 and t0 < $2 and c.span = 0 and ${IS_SMALL} and ${isOfDomains(domains, 'c.domain_id', '$3')}
         group by 1, 2, 3 having count(*) > 1 limit 200000`,
        [beginOfMonth(month), beginOfMonth(month + 1), ...valuesOf(domains)],
      ),
    ),
  )
}

const CHUNK_START = {
  t0: INT8,
  count: INT4,
  /** The size of the chunk's stored points in bytes. */
  bytes: INT4,
}

export type ChunkStart = RowOf<typeof CHUNK_START>

/**
 * Reads the chunks of a series that begin at `from` or later, and before `to`, in the given order; at most `limit` of
 * them.
 */
export async function fetchChunkStarts(
  sql: Sql,
  domainId: number,
  seriesId: number,
  { from, to, isNewestFirst }: { readonly from: number; readonly to: number; readonly isNewestFirst: boolean },
  limit: number,
): Promise<ChunkStart[]> {
  return sql.rows(
    CHUNK_START,
    `select t0, count, octet_length(points) as bytes from datapoint_chunks
     where domain_id = $1 and series_id = (select s.id from series s where s.domain_id = $1 and s.id = $2) and t0 >= $3 and t0 < $4
     order by t0 ${isNewestFirst ? 'desc' : 'asc'} limit $5`,
    [domainId, seriesId, from, to, limit],
  )
}
