import type { Database, Sql } from '../../db/sql.ts'
import type { ValueKind } from '../../datapoints/rules/value.ts'
import { holdHotPoints, type HotPoint } from './points.ts'
import { enterDomain } from '../domains.ts'

// Datapoints by the flush that stored them, wherever they are by now.

/** A flush that is not folded yet. */
export interface HotFlush {
  readonly generation: number
  /** Of all domains. */
  readonly count: number
}

/**
 * A transaction in which nothing is folded. `work` is in the domain; before that all flushes after a number are listed,
 * also those that have no point of this domain, so that nobody waits for them.
 */
export function withHotFlushes<T>(
  database: Database,
  domainId: number,
  after: number,
  work: (sql: Sql, flushes: readonly HotFlush[]) => Promise<T>,
): Promise<T> {
  return database.transaction(async (sql) => {
    await holdHotPoints(sql)
    const flushes = await sql.query<HotFlush>(
      `select generation, count(*) as count from datapoints_hot where generation > $1 group by 1 order by 1`,
      [after],
    )
    await enterDomain(sql, domainId, database)
    return work(sql, flushes)
  })
}

const OF_FLUSHES = `from datapoints_hot h join series s on s.domain_id = $1 and s.id = h.series_id
  where h.generation = any ($2::bigint[]) and ($3::bigint[] is null or h.series_id = any ($3::bigint[]))`

export async function countHotPointsOf(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<number> {
  const [row] = await sql.query<{ points: number }>(`select count(*) as points ${OF_FLUSHES}`, [
    domainId,
    generations.map(String),
    seriesIds?.map(String) ?? null,
  ])
  return row?.points ?? 0
}

/** By flush, series and time; of one series and time in the order in which they were sent. */
export async function fetchHotFlushes(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<HotPoint[]> {
  return sql.query<HotPoint>(
    `select h.series_id as "seriesId", h.at, h.generation, h.float8, h.whole::text as whole, h.text
     ${OF_FLUSHES}
     order by h.generation, h.series_id, h.at, h.position`,
    [domainId, generations.map(String), seriesIds?.map(String) ?? null],
  )
}

export interface FlushedChunk {
  readonly seriesId: number
  readonly kind: ValueKind
  readonly points: Uint8Array
}

const CHUNKS_AFTER = `from datapoint_chunks c where c.domain_id = $1 and c.generation > $2
  and ($3::bigint[] is null or c.series_id = any ($3::bigint[]))`

/** How many points are in the chunks of which at least one point is of a later flush. */
export async function countChunkPointsAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): Promise<number> {
  const [row] = await sql.query<{ points: number }>(`select coalesce(sum(c.count), 0) as points ${CHUNKS_AFTER}`, [
    domainId,
    after,
    seriesIds?.map(String) ?? null,
  ])
  return row?.points ?? 0
}

/** Chunks of which at least one point is of a later flush; the others may be older. */
export async function fetchChunksAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): Promise<FlushedChunk[]> {
  return sql.query<FlushedChunk>(
    `select found."seriesId", s.value_kind as kind, found.points
     from (select c.series_id as "seriesId", c.points ${CHUNKS_AFTER}) found
     join series s on s.domain_id = $1 and s.id = found."seriesId"`,
    [domainId, after, seriesIds?.map(String) ?? null],
  )
}
