import { DAY, MONTH } from '../../../datapoints/chunks/pack-series.ts'
import { BYTEA, INT8, nullable } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'

interface Range {
  readonly from: number
  readonly to: number
}

const VISIBLE = `domain_id = $1 and series_id = (select s.id from series s where s.domain_id = $1 and s.id = $2)`

/** The extent of each summary. `hour` means an hour if the chunk has summaries by hour; `chunk`, the whole chunk. */
export type Grain = 'hour' | 'chunk'

const SUMMARY: { readonly [grain in Grain]: string } = { hour: 'summary', chunk: 'coalesce(total, summary) as summary' }

/** Reads the summaries of all chunks of a series that overlap a range. They are one array, in no order. */
export async function fetchSummaries(
  sql: Sql,
  domainId: number,
  seriesId: number,
  { from, to }: Range,
  grain: Grain,
): Promise<Uint8Array> {
  const [row] = await sql.rows(
    { summaries: nullable(BYTEA) },
    `select string_agg(summary, ''::bytea) as summaries from (
       select ${SUMMARY[grain]} from datapoint_chunks
       where ${VISIBLE} and t0 >= $3::bigint - $3::bigint % ${DAY} and t0 < $4 and t1 + 0 >= $3
       union all
       select ${SUMMARY[grain]} from datapoint_chunks
       where ${VISIBLE} and span = 1
         and t0 >= $3::bigint - ${MONTH} and t0 < $3::bigint - $3::bigint % ${DAY} and t1 + 0 >= $3) chunks`,
    [domainId, seriesId, from, to],
  )
  return row?.summaries ?? new Uint8Array()
}

const CHUNK_OF_RANGE = {
  /** The number of the range, from 1 on. */
  range: INT8,
  seriesId: INT8,
  t0: INT8,
  points: BYTEA,
}

type ChunkOfRange = RowOf<typeof CHUNK_OF_RANGE>

/** Reads the chunks of a series that overlap any of several ranges. A chunk comes once for each of them. */
export async function fetchChunksOfRanges(
  sql: Sql,
  domainId: number,
  seriesId: number,
  ranges: readonly Range[],
): Promise<ChunkOfRange[]> {
  if (ranges.length === 0) return []
  return sql.rows(
    CHUNK_OF_RANGE,
    `select wanted.range, $2::bigint as "seriesId", chunks.t0, chunks.points
     from unnest($3::bigint[], $4::bigint[]) with ordinality wanted (since, until, range)
     cross join lateral (
       select t0, points from datapoint_chunks
       where ${VISIBLE} and t0 >= wanted.since - wanted.since % ${DAY} and t0 < wanted.until and t1 + 0 >= wanted.since
       union all
       select t0, points from datapoint_chunks
       where ${VISIBLE} and span = 1 and t0 >= wanted.since - ${MONTH} and t0 < wanted.since - wanted.since % ${DAY}
         and t1 + 0 >= wanted.since) chunks`,
    [domainId, seriesId, ranges.map(({ from }) => String(from)), ranges.map(({ to }) => String(to))],
  )
}
