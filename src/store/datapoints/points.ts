import { BYTEA, FLOAT8, INT4, INT8, nullable, TEXT } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { VISIBLE_SERIES } from './series.ts'
import { DAY, MONTH } from '../../datapoints/chunks/pack-series.ts'

const CHUNK_PART = { seriesId: INT8, points: BYTEA }

/** The packed points of a series. */
export type ChunkPart = RowOf<typeof CHUNK_PART>

export const HOT_POINT = {
  seriesId: INT8,
  at: INT8,
  generation: INT8,
  float8: nullable(FLOAT8),
  /** The number as text, since it may be larger than a JavaScript number holds. */
  whole: nullable(TEXT),
  text: nullable(TEXT),
}

/** A point that is not packed yet. */
export type HotPoint = RowOf<typeof HOT_POINT>

export interface StoredPoints {
  /** The chunks may reach beyond the range. */
  readonly chunks: readonly ChunkPart[]
  /** The points of one generation are in the order in which they were written. */
  readonly hot: readonly HotPoint[]
}

/**
 * Must come before anything else in a transaction that reads hot points: TRUNCATE empties what is folded into chunks
 * meanwhile, and a snapshot from before would see neither.
 */
export async function holdHotPoints(sql: Sql): Promise<void> {
  await sql.query(`lock table datapoints_hot in access share mode`)
}

/**
 * Reads hot points within a transaction that goes on for long, and gives the lock back, so that folding does not wait
 * for the rest. Chunks that are read afterwards are later than the hot points: no point is missed, though some may be
 * seen twice. It does not work in a transaction that keeps one snapshot.
 */
export async function lookAtHotPoints<T>(sql: Sql, look: (sql: Sql) => Promise<T>): Promise<T> {
  await sql.query('savepoint hot_points')
  await holdHotPoints(sql)
  const found = await look(sql)
  await sql.query('rollback to savepoint hot_points')
  return found
}

/**
 * Turns sorting off for the rest of the transaction. Without statistics, which PGlite never has and PostgreSQL not at
 * once, the planner takes a series for one row and would rather sort all its chunks than read the index that has them
 * in order.
 */
export async function preferOrderOfIndex(sql: Sql): Promise<void> {
  await sql.query(`select set_config('enable_sort', 'off', true)`)
}

/**
 * SQL for the chunks that reach into a range. Those that begin on its first day or later are found by their beginning;
 * of those from before, only few go on over a midnight, none of them further than to the end of its month, and these have
 * an index of their own. The end is hidden behind a sum, since the index of the ends would go through all that come after.
 * Chunks have the wall of the domain but not that of units, so they are reached through series that
 * may be seen.
 */
const CHUNKS = `from (
    select series_id, points from datapoint_chunks
    where domain_id = $1 and series_id = any (array(${VISIBLE_SERIES}))
      and t0 >= $3::bigint - $3::bigint % ${DAY} and t0 < $4 and t1 + 0 >= $3
    union all
    select series_id, points from datapoint_chunks
    where domain_id = $1 and series_id = any (array(${VISIBLE_SERIES}))
      and span = 1 and t0 >= $3::bigint - ${MONTH} and t0 < $3::bigint - $3::bigint % ${DAY} and t1 + 0 >= $3) chunks`

/** A point, or a chunk of points, whose own `at` and `generation` say nothing. */
const POINT_OR_CHUNK = { ...HOT_POINT, points: nullable(BYTEA), position: nullable(INT4) }

/** The points from `from` on and before `to`, in microseconds since 1970. One statement reads both as of one moment. */
export async function fetchPoints(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  from: number,
  to: number,
): Promise<StoredPoints> {
  const rows = await sql.rows(
    POINT_OR_CHUNK,
    `select series_id as "seriesId", points, 0::bigint as at, 0::bigint as generation, null::integer as position,
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

/** The chunks of one series, which may reach beyond the range. */
export async function fetchChunks(
  sql: Sql,
  domainId: number,
  seriesId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ChunkPart[]> {
  return sql.rows(CHUNK_PART, `select series_id as "seriesId", points ${CHUNKS}`, [
    domainId,
    [String(seriesId)],
    from,
    to,
  ])
}

/** The points before `to` that are not packed, in the order in which they were written. */
export async function fetchHotPoints(sql: Sql, seriesIds: readonly number[], to: number): Promise<HotPoint[]> {
  return sql.rows(
    HOT_POINT,
    `select series_id as "seriesId", at, generation, float8, whole::text as whole, text from datapoints_hot
     where series_id = any ($1::bigint[]) and at < $2 order by generation, position`,
    [seriesIds.map(String), to],
  )
}
