import { DAY, MONTH } from '../../datapoints/chunks/pack-series.ts'
import { BYTEA, FLOAT8, INT8, nullable, TEXT } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { hasSeries, SEGMENT, seriesNumbers } from './points.ts'
import { VISIBLE_SERIES } from './series.ts'

const CANDIDATE = {
  seriesId: INT8,
  at: INT8,
  generation: INT8,
  float8: nullable(FLOAT8),
  /** The number as text, since it may be larger than a JavaScript number holds. */
  whole: nullable(TEXT),
  text: nullable(TEXT),
  /**
   * The chunk itself, where its last point is not before that time or not in the clear; then `at` is the end of the
   * chunk.
   */
  points: nullable(BYTEA),
}

/** A point of a chunk that may be the last one of a series before a time, or the chunk that has it. */
export type LatestCandidate = RowOf<typeof CANDIDATE>

const OF_CHUNK = `t1, last_generation, last_float8, last_whole, last_text, points from datapoint_chunks
    where domain_id = $1 and series_id = wanted.id`

/**
 * SQL for the chunks that may have the last point. A chunk begins with a point, so that point is in the chunk that begins
 * last before the time, or in one that began before it and ends after that beginning: one of the same day, or one of those
 * that reach on in their month. Each series is looked up by index, the second time by the index of the ends. For that all
 * bounds of the end are said, and `t0` is hidden behind a sum: the index of the beginnings would go through all chunks of
 * the day.
 */
export const LATEST_OF_CHUNKS = `select wanted.id as "seriesId", c.t1 as at, c.last_generation as generation, c.last_float8 as float8,
    c.last_whole::text as whole, c.last_text as text,
    case when c.t1 >= $3 or num_nonnulls(c.last_float8, c.last_whole, c.last_text) = 0 then c.points end as points
  from (${VISIBLE_SERIES} offset 0) wanted (id)
  cross join lateral (
    select t0 from datapoint_chunks
    where domain_id = $1 and series_id = wanted.id and t0 < $3 order by t0 desc limit 1) newest
  cross join lateral (
    (select ${OF_CHUNK} and span = 0 and t1 >= newest.t0 and t1 < newest.t0 + ${DAY}
       and t0 > newest.t0 - ${DAY} and t0 + 0 < $3 offset 0)
    union all
    (select ${OF_CHUNK} and span = 1 and t0 > newest.t0 - ${MONTH} and t0 <= newest.t0 and t1 >= newest.t0
     offset 0)) c`

/**
 * The candidates among chunks, few for each series however much is stored. The transaction has called `preferOrderOfIndex`
 * before, and has read what is not in chunks: points may become chunks meanwhile, and are then seen twice.
 */
export function fetchLatestOfChunks(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  before: number,
): Promise<LatestCandidate[]> {
  return sql.rows(CANDIDATE, LATEST_OF_CHUNKS, [domainId, seriesIds.map(String), before])
}

/** Of each block this many rows are looked at first. */
export const NEWEST_ROWS = 8

const NEWEST = {
  ...SEGMENT,
  /** The block and the latest time of the segment; null where it is hot. */
  block: nullable(INT8),
  t1: nullable(INT8),
}

/** A segment that may have the last points of some series. */
export type NewestSegment = RowOf<typeof NEWEST>

/** All hot segments of these series with points before a time, and the newest ones of their blocks. */
export function fetchNewestSegments(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  before: number,
): Promise<NewestSegment[]> {
  return sql.rows(
    NEWEST,
    `select h.generation, h.series, h.points, null::bigint as block, null::bigint as t1
     from datapoints_hot h where h.domain_id = $1 and ${hasSeries('$2')} and h.t0 < $3
     union all
     select null, newest.series, newest.points, wanted.block, newest.t1
     from (select distinct id >> 8 as block from unnest($2::bigint[]) id) wanted cross join lateral (
       select b.series, b.points, b.t1 from datapoint_blocks b
       where b.domain_id = $1 and b.block = wanted.block and b.t0 < $3
       order by b.t1 desc limit ${NEWEST_ROWS}) newest`,
    [domainId, seriesNumbers(seriesIds), before],
  )
}
