import type { Sql } from '../../db/sql.ts'
import { VISIBLE_SERIES } from './series.ts'
import { DAY } from '../../datapoints/chunks/pack-series.ts'

/** Packed points of a series. */
export interface ChunkPart {
  readonly seriesId: number
  readonly points: Uint8Array
}

/** One that is not packed yet. */
export interface HotPoint {
  readonly seriesId: number
  readonly at: number
  readonly generation: number
  readonly float8: number | null
  /** As text: it may be larger than a number holds. */
  readonly whole: string | null
  readonly text: string | null
}

export interface StoredPoints {
  /** They may reach beyond the range. */
  readonly chunks: readonly ChunkPart[]
  /** Of one generation in the order in which they were written. */
  readonly hot: readonly HotPoint[]
}

/**
 * To be called before anything else in a transaction that reads hot points: what is folded into chunks meanwhile is
 * emptied by TRUNCATE, which an older snapshot does not survive.
 */
export async function holdHotPoints(sql: Sql): Promise<void> {
  await sql.query(`lock table datapoints_hot in access share mode`)
}

/**
 * The same within a transaction that goes on for long: the lock is given back, so folding does not wait for the rest.
 * What is read of chunks afterwards is later than the hot points: nothing is missed, though points may be seen twice.
 * Not in a transaction that keeps one snapshot.
 */
export async function lookAtHotPoints<T>(sql: Sql, look: (sql: Sql) => Promise<T>): Promise<T> {
  await sql.query('savepoint hot_points')
  await holdHotPoints(sql)
  const found = await look(sql)
  await sql.query('rollback to savepoint hot_points')
  return found
}

/**
 * For the rest of the transaction. Without statistics, which PGlite never has and PostgreSQL not at once, to sort what
 * looks like one row seems cheaper than the index that has it in order, and all chunks of a series are read.
 */
export async function preferOrderOfIndex(sql: Sql): Promise<void> {
  await sql.query(`select set_config('enable_sort', 'off', true)`)
}

/** Chunks have one wall only, that of the domain: they are reached through series that are to be seen. */
const CHUNKS = `from datapoint_chunks
  where domain_id = $1 and series_id = any (array(${VISIBLE_SERIES})) and t0 >= $3::bigint - ${DAY} and t0 < $4 and t1 >= $3`

/** From `from` on and before `to`; microseconds since 1970. One statement, so one moment for both. */
export async function fetchPoints(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  from: number,
  to: number,
): Promise<StoredPoints> {
  const rows = await sql.query<HotPoint & { readonly points: Uint8Array | null }>(
    `select series_id as "seriesId", points, null::bigint as at, null::bigint as generation, null::integer as position,
       null::float8 as float8, null::text as whole, null::text as text
     ${CHUNKS}
     union all
     select series_id, null, at, generation, position, float8, whole::text, text from datapoints_hot
     where series_id = any ($2::bigint[]) and at >= $3 and at < $4
     order by generation, position`,
    [domainId, seriesIds.map(String), from, to],
  )
  return {
    chunks: rows.flatMap(({ seriesId, points }) => (points === null ? [] : [{ seriesId, points }])),
    hot: rows.filter(({ points }) => points === null),
  }
}

/** What is packed of one series. They may reach beyond the range. */
export async function fetchChunks(
  sql: Sql,
  domainId: number,
  seriesId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ChunkPart[]> {
  return sql.query<ChunkPart>(`select series_id as "seriesId", points ${CHUNKS}`, [
    domainId,
    [String(seriesId)],
    from,
    to,
  ])
}

/** All before `to` that are not packed, in the order in which they were written. */
export async function fetchHotPoints(sql: Sql, seriesIds: readonly number[], to: number): Promise<HotPoint[]> {
  return sql.query<HotPoint>(
    `select series_id as "seriesId", at, generation, float8, whole::text as whole, text from datapoints_hot
     where series_id = any ($1::bigint[]) and at < $2 order by generation, position`,
    [seriesIds.map(String), to],
  )
}
