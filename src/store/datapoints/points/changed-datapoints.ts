import { KINDS } from '../../../datapoints/chunks/flush.ts'
import { BYTEA, INT8, oneOf } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { cursorRows } from '../../cursor-rows.ts'
import { hasSeries, holdHotPoints, SEGMENT, seriesNumbers, type StoredSegment } from './points.ts'
import { enterDomain } from '../../domains.ts'

// Finds datapoints by the flush that stored them. They may be hot, in blocks or in chunks.

const HOT_FLUSH = {
  generation: INT8,
  /** The number of the flush's points, of all domains. */
  count: INT8,
  /** The size of the flush's segments in bytes. */
  bytes: INT8,
}

/** A flush with points that are not folded yet. */
export type HotFlush = RowOf<typeof HOT_FLUSH>

/**
 * Runs a transaction during which nothing is folded. Before it enters the domain, it lists all flushes after a number.
 * The list includes flushes without points of this domain, so that no subscription waits for them.
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
      `select generation, sum(count)::int8 as count, sum(octet_length(points))::int8 as bytes
       from datapoints_hot where generation > $1 group by 1 order by 1`,
      [after],
    )
    await enterDomain(sql, domainId, database)
    return work(sql, flushes)
  })
}

const BYTES = { bytes: INT8 }
const FOLDED_SIZE = { points: INT8, bytes: INT8 }

/** The size of the blocks or chunks to read. */
export type FoldedSize = RowOf<typeof FOLDED_SIZE>

/** SQL for the segments `h` of some flushes that may contain some series. */
const OF_FLUSHES = `from datapoints_hot h
  where h.domain_id = $1 and h.generation = any ($3::bigint[]) and ($2::bigint[] is null or ${hasSeries('$2')})`

/** Reads the directories of the segments of some flushes: their series, and how many points each has. */
export async function fetchHotDirectories(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<Uint8Array[]> {
  const rows = await sql.rows({ series: BYTEA }, `select h.series ${OF_FLUSHES}`, [
    domainId,
    seriesIds === null ? null : seriesNumbers(seriesIds),
    generations.map(String),
  ])
  return rows.map(({ series }) => series)
}

/** Returns the bytes of the segments of some flushes that may contain some series. */
export async function fetchHotSize(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<number> {
  const [row] = await sql.rows(BYTES, `select coalesce(sum(octet_length(h.points)), 0)::int8 as bytes ${OF_FLUSHES}`, [
    domainId,
    seriesIds === null ? null : seriesNumbers(seriesIds),
    generations.map(String),
  ])
  return row?.bytes ?? 0
}

/** Reads the segments of flushes, in the order of the flushes. */
export async function fetchHotFlushes(
  sql: Sql,
  domainId: number,
  generations: readonly number[],
  seriesIds: readonly number[] | null,
): Promise<StoredSegment[]> {
  return sql.rows(SEGMENT, `select h.generation, h.series, h.points ${OF_FLUSHES} order by h.generation`, [
    domainId,
    seriesIds === null ? null : seriesNumbers(seriesIds),
    generations.map(String),
  ])
}

const BLOCKS_AFTER = `from datapoint_blocks b where b.domain_id = $1 and b.generation > $2
  and ($3::bigint[] is null or b.block in (select id >> 8 from unnest($3::bigint[]) id))`

const DIRECTORY_AFTER = { block: INT8, series: BYTEA }

/** Reads the directories of blocks with at least one point of a later flush than `after`. */
export function fetchBlockDirectoriesAfter(
  sql: Sql,
  domainId: number,
  after: number,
): Promise<RowOf<typeof DIRECTORY_AFTER>[]> {
  return sql.rows(DIRECTORY_AFTER, `select b.block, b.series ${BLOCKS_AFTER}`, [domainId, after, null])
}

/** Measures the blocks with at least one point of a later flush than `after`, including their other series. */
export async function fetchBlockSizeAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): Promise<FoldedSize> {
  const [size] = await sql.rows(FOLDED_SIZE, `select ${sizeOf('b')} ${BLOCKS_AFTER}`, [
    domainId,
    after,
    seriesIds?.map(String) ?? null,
  ])
  return size ?? NOTHING
}

/** The rows of each fetch, which are in memory together. A row of a block has a few megabytes at most. */
const ROWS_AT_ONCE = 8

const BLOCK_AFTER = { ...SEGMENT, block: INT8 }

/**
 * Reads the segments of blocks with at least one point of a later flush than `after`. Other points of a block may be
 * older. The cursor ends with the transaction.
 */
export async function* readBlocksAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): AsyncGenerator<RowOf<typeof BLOCK_AFTER>[]> {
  await sql.query(
    `declare blocks_after no scroll cursor for
     select null::bigint as generation, b.block, b.series, b.points ${BLOCKS_AFTER}`,
    [domainId, after, seriesIds?.map(String) ?? null],
  )
  yield* cursorRows(sql, BLOCK_AFTER, 'blocks_after', ROWS_AT_ONCE)
}

const NOTHING: FoldedSize = { points: 0, bytes: 0 }

/** SQL for the size of rows. PostgreSQL knows the length of a value without reading it. */
const sizeOf = (rows: string) => `coalesce(sum(${rows}.count), 0)::int8 as points,
  coalesce(sum(octet_length(${rows}.points)), 0)::int8 as bytes`

const FLUSHED_CHUNK = { seriesId: INT8, kind: oneOf(KINDS), points: BYTEA }

type FlushedChunk = RowOf<typeof FLUSHED_CHUNK>

const CHUNKS_AFTER = `from datapoint_chunks c where c.domain_id = $1 and c.generation > $2
  and ($3::bigint[] is null or c.series_id = any ($3::bigint[]))`

/** Measures the chunks with at least one point of a later flush than `after`. */
export async function fetchChunkSizeAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): Promise<FoldedSize> {
  const [size] = await sql.rows(FOLDED_SIZE, `select ${sizeOf('c')} ${CHUNKS_AFTER}`, [
    domainId,
    after,
    seriesIds?.map(String) ?? null,
  ])
  return size ?? NOTHING
}

/** Reads chunks in the way in which `readBlocksAfter` reads blocks. */
export async function* readChunksAfter(
  sql: Sql,
  domainId: number,
  after: number,
  seriesIds: readonly number[] | null,
): AsyncGenerator<FlushedChunk[]> {
  await sql.query(
    `declare chunks_after no scroll cursor for
     select found."seriesId", s.value_kind as kind, found.points
     from (select c.series_id as "seriesId", c.points ${CHUNKS_AFTER}) found
     join series s on s.domain_id = $1 and s.id = found."seriesId"`,
    [domainId, after, seriesIds?.map(String) ?? null],
  )
  yield* cursorRows(sql, FLUSHED_CHUNK, 'chunks_after', ROWS_AT_ONCE)
}
