import { KINDS } from '../../datapoints/chunks/flush.ts'
import { BYTEA, INT8, oneOf } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { holdHotPoints, HOT_POINT, type HotPoint } from './points.ts'
import { enterDomain } from '../domains.ts'

// Datapoints are found here by the flush that stored them, whether they are in chunks by now or not.

const HOT_FLUSH = {
  generation: INT8,
  /** The number of its points, of all domains. */
  count: INT8,
}

/** A flush whose points are not folded into chunks yet. */
export type HotFlush = RowOf<typeof HOT_FLUSH>

/**
 * Runs a transaction in which nothing is folded. Before `work` enters the domain, all flushes after a number are
 * listed, also those that have no point of this domain, so that no subscription waits for them.
 */
export function withHotFlushes<T>(
  database: Database,
  domainId: number,
  after: number,
  work: (sql: Sql, flushes: readonly HotFlush[]) => Promise<T>,
): Promise<T> {
  return database.transaction(async (sql) => {
    await holdHotPoints(sql)
    const flushes = await sql.rows(
      HOT_FLUSH,
      `select generation, count(*) as count from datapoints_hot where generation > $1 group by 1 order by 1`,
      [after],
    )
    await enterDomain(sql, domainId, database)
    return work(sql, flushes)
  })
}

const POINTS = { points: INT8 }

const OF_FLUSHES = `from datapoints_hot h join series s on s.domain_id = $1 and s.id = h.series_id
  where h.generation = any ($2::bigint[]) and ($3::bigint[] is null or h.series_id = any ($3::bigint[]))`

export async function countHotPointsOf(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<number> {
  const [row] = await sql.rows(POINTS, `select count(*) as points ${OF_FLUSHES}`, [
    domainId,
    generations.map(String),
    seriesIds?.map(String) ?? null,
  ])
  return row?.points ?? 0
}

/**
 * The points of flushes by flush, series and time; those of one series and time are in the order in which they were
 * sent.
 */
export async function fetchHotFlushes(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<HotPoint[]> {
  return sql.rows(
    HOT_POINT,
    `select h.series_id as "seriesId", h.at, h.generation, h.float8, h.whole::text as whole, h.text
     ${OF_FLUSHES}
     order by h.generation, h.series_id, h.at, h.position`,
    [domainId, generations.map(String), seriesIds?.map(String) ?? null],
  )
}

const FLUSHED_CHUNK = { seriesId: INT8, kind: oneOf(KINDS), points: BYTEA }

export type FlushedChunk = RowOf<typeof FLUSHED_CHUNK>

const CHUNKS_AFTER = `from datapoint_chunks c where c.domain_id = $1 and c.generation > $2
  and ($3::bigint[] is null or c.series_id = any ($3::bigint[]))`

/** The number of points in the chunks of which at least one point is of a flush after `after`. */
export async function countChunkPointsAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): Promise<number> {
  const [row] = await sql.rows(POINTS, `select coalesce(sum(c.count), 0) as points ${CHUNKS_AFTER}`, [
    domainId,
    after,
    seriesIds?.map(String) ?? null,
  ])
  return row?.points ?? 0
}

/** The chunks of which at least one point is of a flush after `after`; their other points may be older. */
export async function fetchChunksAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): Promise<FlushedChunk[]> {
  return sql.rows(
    FLUSHED_CHUNK,
    `select found."seriesId", s.value_kind as kind, found.points
     from (select c.series_id as "seriesId", c.points ${CHUNKS_AFTER}) found
     join series s on s.domain_id = $1 and s.id = found."seriesId"`,
    [domainId, after, seriesIds?.map(String) ?? null],
  )
}
