import { beginOfMonth } from '../../../datapoints/chunks/chunk-partition.ts'
import { DAY, ENOUGH_BYTES, MOST_POINTS } from '../../../datapoints/chunks/pack-series.ts'
import { INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { acrossDomains, isOfDomains, valuesOf } from '../../across-domains.ts'
import { CHUNK, IS_SMALL, UNPACKED, UNPACKED_AT_ONCE, type StoredChunk } from './chunks.ts'

// When days with few points have ended, they are joined within their month. Each statement looks at one month. A month
// is in one partition, so a `ctid` identifies one row.

/** SQL for chunks to join. Their index has the same condition, with the same numbers. */
const IS_UNJOINED = `c.span = 0 and ${IS_SMALL}`

const SERIES = { domainId: INT8, seriesId: INT8 }

export type SparseSeries = RowOf<typeof SERIES>

/** Series of one domain. */
export interface SeriesOfDomain {
  readonly domainId: number
  readonly ids: readonly number[]
}

/** The chunks of a month that begin before a midnight (UTC). */
export interface PartOfMonth {
  readonly month: number
  readonly before: number
}

/** Finds series with unjoined chunks of at least `atLeast` days; at most `limit` series. */
export function findSparseSeries(
  database: Database,
  { month, before }: PartOfMonth,
  atLeast: number,
  limit: number,
): Promise<SparseSeries[]> {
  return acrossDomains(database, null, (domains) =>
    database.read((sql) =>
      sql.rows(
        SERIES,
        `select c.domain_id as "domainId", c.series_id as "seriesId" from datapoint_chunks c
         where c.t0 >= $1 and c.t0 < $2 and ${IS_UNJOINED} and ${isOfDomains(domains, 'c.domain_id', '$5')}
         group by 1, 2 having count(distinct c.t0 / ${DAY}) >= $3 limit $4`,
        [beginOfMonth(month), before, atLeast, limit, ...valuesOf(domains)],
      ),
    ),
  )
}

const WANTED = `unnest($2::bigint[]) wanted (series_id)`
const OF_WANTED = `c.domain_id = $1 and c.series_id = wanted.series_id and c.t0 >= $3 and c.t0 < $4`

/**
 * SQL for the chunks to join: all unjoined chunks of the month. When the month is over, small joined chunks are joined once
 * more. A chunk that overlaps an unjoined one is joined too, because late points can lie within it. So is a chunk of the
 * same day, unless it is full.
 */
const IS_TAKEN = `(${IS_UNJOINED} or $5 and c.span < 2 and ${IS_SMALL} or exists (
  select from datapoint_chunks late
  where late.domain_id = $1 and late.series_id = c.series_id and late.t0 >= $3 and late.t0 < $4
    and ${IS_UNJOINED.replaceAll('c.', 'late.')}
    and (late.t0 <= c.t1 and late.t1 >= c.t0 or c.span < 2 and c.count < ${MOST_POINTS} and octet_length(c.points) < ${ENOUGH_BYTES}
      and late.t0 / ${DAY} = c.t0 / ${DAY})))`

const BYTES_OF_SERIES = { seriesId: INT8, bytes: INT8 }

/** Returns the most unpacked bytes that `takeSparseChunks` may take for each of these series. */
export async function measureSparseChunks(
  sql: Sql,
  { domainId, ids }: SeriesOfDomain,
  part: PartOfMonth,
): Promise<RowOf<typeof BYTES_OF_SERIES>[]> {
  return sql.rows(
    BYTES_OF_SERIES,
    `select c.series_id as "seriesId", sum(${UNPACKED})::int8 as bytes from ${WANTED} join datapoint_chunks c on ${OF_WANTED}
     join series s on s.domain_id = $1 and s.id = c.series_id where ${IS_TAKEN} group by 1`,
    [domainId, ids.map(String), ...rangeOf(part), isOver(part)],
  )
}

/**
 * Takes the chunks of these series out of the table, to join them. If they are too many for the memory, takes only the
 * first ones. It skips chunks that another process is taking.
 */
export async function takeSparseChunks(
  sql: Sql,
  { domainId, ids }: SeriesOfDomain,
  part: PartOfMonth,
): Promise<StoredChunk[]> {
  return sql.rows(
    CHUNK,
    `with held as (
       select c.ctid as place, c.series_id, c.t0, ${UNPACKED} as bytes from ${WANTED}
       join datapoint_chunks c on ${OF_WANTED} join series s on s.domain_id = $1 and s.id = c.series_id
       where ${IS_TAKEN} for update of c skip locked
     ), summed as (
       select place, sum(bytes) over (order by series_id, t0) - bytes as before from held
     ), gone as (
       delete from datapoint_chunks where domain_id = $1 and t0 >= $3 and t0 < $4
         and ctid = any (array(select place from summed where before < ${UNPACKED_AT_ONCE}))
       returning domain_id, series_id, t0, points
     )
     select gone.domain_id as "domainId", gone.series_id as "seriesId", s.value_kind as kind, gone.t0, gone.points
     from gone join series s on s.domain_id = $1 and s.id = gone.series_id`,
    [domainId, ids.map(String), ...rangeOf(part), isOver(part)],
  )
}

function rangeOf({ month, before }: PartOfMonth): [number, number] {
  return [beginOfMonth(month), before]
}

function isOver({ month, before }: PartOfMonth): boolean {
  return before === beginOfMonth(month + 1)
}

const SERIES_TIME = { seriesId: INT8, t0: INT8 }

export type SeriesTime = RowOf<typeof SERIES_TIME>

/** Returns the beginnings of the chunks of these series in a month, oldest first. */
export async function fetchBeginnings(
  sql: Sql,
  { domainId, ids }: SeriesOfDomain,
  month: number,
): Promise<SeriesTime[]> {
  return sql.rows(
    SERIES_TIME,
    `select c.series_id as "seriesId", c.t0 from ${WANTED} join datapoint_chunks c on ${OF_WANTED} order by 1, 2`,
    [domainId, ids.map(String), beginOfMonth(month), beginOfMonth(month + 1)],
  )
}
