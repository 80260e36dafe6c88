import { DAY, MONTH } from '../../../datapoints/chunks/pack-series.ts'
import { LASTING } from '../../../datapoints/segments/block-levels.ts'
import { BYTEA, FLOAT8, INT4, INT8, nullable, TEXT } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'

const CANDIDATE = {
  seriesId: INT8,
  at: INT8,
  generation: INT8,
  float8: nullable(FLOAT8),
  /** The number as text, because it may be larger than a JavaScript number can hold. */
  whole: nullable(TEXT),
  text: nullable(TEXT),
  /**
   * The beginning of the chunk, if the chunk must be decoded: its last point is at or after the wanted time, or only the
   * chunk itself contains it. Then `at` is the end of the chunk.
   */
  t0: nullable(INT8),
  /** The generation of the chunk's row. Several chunks may begin at that time. */
  rowGeneration: INT8,
  /** The chunk itself; null if its texts are long, because many chunks are in memory together. */
  points: nullable(BYTEA),
}

/** A point that may be the last one of a series before a time, or a chunk that has this point. */
export type LatestCandidate = RowOf<typeof CANDIDATE>

/** A chunk with more bytes is fetched separately. */
const LONG = 65_536

const OF_CHUNK = `t0, t1, generation, last_generation, last_float8, last_whole, last_text, points from datapoint_chunks
    where domain_id = $1 and series_id = wanted.id`

/**
 * SQL for the visible series of `$2` with a chunk that ends at the time in `$4`, the last known point of the series, or
 * later. Most series have no such chunk, because new points are not in chunks. So PostgreSQL skips the partitions that
 * end before that time.
 */
const WANTED = `select s.id from unnest($2::bigint[], $4::bigint[]) known (id, since)
    join series s on s.domain_id = $1 and s.id = known.id
    where exists (
      select from datapoint_chunks later where later.domain_id = $1 and later.series_id = known.id
        and later.t1 >= known.since and later.t0 > known.since - ${MONTH})`

const IS_HIDDEN = `(c.t1 >= $3 or num_nonnulls(c.last_float8, c.last_whole, c.last_text) = 0)`

/**
 * SQL for the chunks that may have the last point. Each chunk begins with a point. So the last point is in the chunk
 * with the latest beginning before the time (`newest`), or in an earlier chunk that ends after this beginning: a chunk
 * of the same day, or one that may reach until the end of its month. The first look-up of each series uses the index of
 * beginnings, the second one the index of ends. For the second one, the statement has both bounds of the end, and hides
 * `t0` in a sum: the index of beginnings would read all chunks of the day.
 */
const LATEST_OF_CHUNKS = `select wanted.id as "seriesId", c.t1 as at, c.last_generation as generation, c.last_float8 as float8,
    c.last_whole::text as whole, c.last_text as text,
    case when ${IS_HIDDEN} then c.t0 end as t0, c.generation as "rowGeneration",
    case when ${IS_HIDDEN} and octet_length(c.points) <= ${LONG} then c.points end as points
  from (${WANTED} offset 0) wanted (id)
  cross join lateral (
    select t0 from datapoint_chunks
    where domain_id = $1 and series_id = wanted.id and t0 < $3 order by t0 desc limit 1) newest
  cross join lateral (
    (select ${OF_CHUNK} and span <> 1 and t1 >= newest.t0 and t1 < newest.t0 + ${DAY}
       and t0 > newest.t0 - ${DAY} and t0 + 0 < $3 offset 0)
    union all
    (select ${OF_CHUNK} and span = 1 and t0 > newest.t0 - ${MONTH} and t0 <= newest.t0 and t1 >= newest.t0
     offset 0)) c`

/** A series, and the time of its last known point, or a time before all points. */
interface KnownSeries {
  readonly seriesId: number
  readonly since: number
}

/**
 * Reads the candidates among chunks. There are few for each series, no matter how much is stored. The transaction must
 * call `preferOrderOfIndex` first, and read the points outside chunks first: points that move to chunks meanwhile are
 * then seen twice, and not missed.
 */
export function fetchLatestOfChunks(
  sql: Sql,
  domainId: number,
  series: readonly KnownSeries[],
  before: number,
): Promise<LatestCandidate[]> {
  const ids = series.map(({ seriesId }) => String(seriesId))
  const since = series.map((one) => String(one.since))
  return sql.rows(CANDIDATE, LATEST_OF_CHUNKS, [domainId, ids, before, since])
}

/** Reads the points of one chunk. */
export async function fetchPointsOfChunk(
  sql: Sql,
  domainId: number,
  { seriesId, t0, rowGeneration }: Pick<LatestCandidate, 'seriesId' | 'rowGeneration'> & { readonly t0: number },
): Promise<Uint8Array | undefined> {
  const [row] = await sql.rows(
    { points: BYTEA },
    `select points from datapoint_chunks where domain_id = $1 and series_id = $2 and t0 = $3 and generation = $4`,
    [domainId, seriesId, t0, rowGeneration],
  )
  return row?.points
}

/** A row of a block with more bytes is fetched separately. A thousand blocks have four thousand newest rows. */
const LONG_ROW = 16_384

const NEWEST_ROW = {
  block: INT8,
  t0: INT8,
  /** The latest time of the row. */
  t1: INT8,
  series: BYTEA,
  /** Null if the row is long, because the rows of many blocks are in memory together. */
  points: nullable(BYTEA),
}

/** A row of a block that may have the last points of some series. */
export type NewestRow = RowOf<typeof NEWEST_ROW>

const LISTED_ROW = { block: INT8, level: INT4, generation: INT8, t0: INT8, t1: INT8, series: BYTEA, bytes: INT8 }

/** A row without its points. `series` tells whether it has wanted series; most rows have none. */
export type ListedRow = RowOf<typeof LISTED_ROW>

/** A block, and the time from which on its points are wanted. */
export interface KnownBlock {
  readonly block: number
  readonly since: number
}

const WANTED_BLOCKS = `unnest($2::bigint[], $3::bigint[]) wanted (block, since)`

const OF_BLOCK = `from datapoint_blocks b
       where b.domain_id = $1 and b.block = wanted.block and b.t1 >= wanted.since and b.t0 < $4`

/**
 * Reads recent rows of blocks with points before a time: for each block, at most `limit` rows with the
 * latest points. They come in no particular order.
 */
export async function fetchNewestRows(
  sql: Sql,
  domainId: number,
  blocks: readonly KnownBlock[],
  before: number,
  limit: number,
): Promise<NewestRow[]> {
  if (blocks.length === 0) return []
  return sql.rows(
    NEWEST_ROW,
    `select wanted.block, newest.t0, newest.t1, newest.series,
       case when octet_length(newest.points) <= ${LONG_ROW} then newest.points end as points
     from ${WANTED_BLOCKS} cross join lateral (
       select b.t0, b.t1, b.series, b.points ${OF_BLOCK} and b.level < ${LASTING} order by b.t1 desc limit $5) newest`,
    [...blockValues(domainId, blocks, before), limit],
  )
}

/** SQL that selects the rows of these levels. */
const LEVELS = { recent: `b.level < ${LASTING}`, lasting: `b.level >= ${LASTING}` } as const

/** Lists all recent or all lasting rows of blocks with points before a time, in no particular order. */
export async function listRows(
  sql: Sql,
  domainId: number,
  levels: keyof typeof LEVELS,
  blocks: readonly KnownBlock[],
  before: number,
): Promise<ListedRow[]> {
  if (blocks.length === 0) return []
  return sql.rows(
    LISTED_ROW,
    `select wanted.block, listed.* from ${WANTED_BLOCKS} cross join lateral (
       select b.level, b.generation, b.t0, b.t1, b.series, octet_length(b.points)::int8 as bytes
       ${OF_BLOCK} and ${LEVELS[levels]} offset 0) listed`,
    blockValues(domainId, blocks, before),
  )
}

function blockValues(domainId: number, blocks: readonly KnownBlock[], before: number) {
  return [domainId, blocks.map(({ block }) => String(block)), blocks.map(({ since }) => String(since)), before] as const
}

const PACKED = { series: BYTEA, points: BYTEA }

/** Reads the rows of blocks with these keys, if they still exist. */
export async function fetchRowsOfBlocks(
  sql: Sql,
  domainId: number,
  rows: readonly ListedRow[],
): Promise<RowOf<typeof PACKED>[]> {
  return sql.rows(
    PACKED,
    `select b.series, b.points
     from unnest($2::bigint[], $3::integer[], $4::bigint[], $5::bigint[]) wanted (block, level, generation, t0)
     join datapoint_blocks b on b.domain_id = $1 and b.block = wanted.block and b.level = wanted.level
       and b.generation = wanted.generation and b.t0 = wanted.t0`,
    [
      domainId,
      rows.map(({ block }) => String(block)),
      rows.map(({ level }) => String(level)),
      rows.map(({ generation }) => String(generation)),
      rows.map(({ t0 }) => String(t0)),
    ],
  )
}
