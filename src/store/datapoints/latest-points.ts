import { DAY, MONTH } from '../../datapoints/chunks/pack-series.ts'
import { BYTEA, nullable } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { HOT_POINT } from './points.ts'
import { VISIBLE_SERIES } from './series.ts'

const CANDIDATE = {
  ...HOT_POINT,
  /**
   * The chunk itself, where its last point is not before that time or not in the clear; then `at` is the end of the
   * chunk.
   */
  points: nullable(BYTEA),
}

/** A point that may be the last one of a series before a time, or the chunk that has it. */
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
const OF_CHUNKS = `select wanted.id as "seriesId", c.t1 as at, c.last_generation as generation, c.last_float8 as float8,
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

const OF_HOT = `select distinct on (series_id) series_id as "seriesId", at, generation, float8, whole::text as whole, text,
    null::bytea as points
  from datapoints_hot where series_id = any ($2::bigint[]) and at < $3
  order by series_id, at desc, generation desc, position desc`

/**
 * SQL for the candidates of both kinds. It is one statement so that both are of one moment, and gives few rows for each
 * series, however much is stored. A chunk that ends before a point that is not packed yet has nothing to add.
 */
const LATEST = `with hot as materialized (${OF_HOT}), packed as (${OF_CHUNKS})
  select * from hot
  union all
  select * from packed where not exists (select from hot where hot."seriesId" = packed."seriesId" and hot.at > packed.at)`

/** The transaction has called `holdHotPoints` and `preferOrderOfIndex` before. */
export function fetchLatestCandidates(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  before: number,
): Promise<LatestCandidate[]> {
  return sql.rows(CANDIDATE, LATEST, [domainId, seriesIds.map(String), before])
}

/** The candidates among chunks alone. The transaction has called `preferOrderOfIndex` before. */
export function fetchLatestOfChunks(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  before: number,
): Promise<LatestCandidate[]> {
  return sql.rows(CANDIDATE, OF_CHUNKS, [domainId, seriesIds.map(String), before])
}
