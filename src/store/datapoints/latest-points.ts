import { DAY } from '../../datapoints/pack-series.ts'
import type { Sql } from '../../db/sql.ts'
import type { ChunkPart, HotPoint } from './points.ts'

export interface LatestChunk extends ChunkPart {
  /** The last time in it, which may lie after the time that is asked about. */
  readonly t1: number
}

/** What the last point of each series before a time is among. */
export interface LatestCandidates {
  readonly chunks: readonly LatestChunk[]
  /** One of each series at most. */
  readonly hot: readonly HotPoint[]
}

/**
 * In a transaction after `holdHotPoints`. A chunk begins with a point and ends with its day: so nothing before the time
 * is later than what is in the chunk that begins last, or in one of its day that ends after that.
 */
export async function fetchLatestCandidates(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  before: number,
): Promise<LatestCandidates> {
  const rows = await sql.query<HotPoint & { readonly points: Uint8Array | null }>(
    `select wanted.id as "seriesId", c.points, c.t1 as at, null::bigint as generation, null::float8 as float8,
       null::text as whole, null::text as text
     from unnest($2::bigint[]) wanted (id)
     cross join lateral (
       select t0 from datapoint_chunks
       where domain_id = $1 and series_id = wanted.id and t0 < $3 order by t0 desc limit 1
     ) newest
     cross join lateral (
       select points, t1 from datapoint_chunks
       where domain_id = $1 and series_id = wanted.id
         and t0 > newest.t0 - ${DAY} and t0 <= newest.t0 and t1 >= newest.t0
       -- One series after the other by index: a hash join would read all chunks that there are.
       offset 0
     ) c
     union all
     (select distinct on (series_id) series_id, null, at, generation, float8, whole::text, text from datapoints_hot
      where series_id = any ($2::bigint[]) and at < $3
      order by series_id, at desc, generation desc, position desc)`,
    [domainId, seriesIds.map(String), before],
  )
  return {
    chunks: rows.flatMap(({ seriesId, points, at }) => (points === null ? [] : [{ seriesId, points, t1: at }])),
    hot: rows.filter(({ points }) => points === null),
  }
}
