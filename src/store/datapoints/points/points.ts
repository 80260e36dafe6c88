import { BYTEA, INT8, nullable } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import type { HotBuffer } from '../arriving/domains-of-buffers.ts'
import { VISIBLE_SERIES } from '../series/series.ts'
import { HOT_COLUMNS, HOT_SEGMENT, readableSegments, refuseMuchHot } from './hot-segments.ts'
import { DAY, MONTH } from '../../../datapoints/chunks/pack-series.ts'

const CHUNK_PART = { seriesId: INT8, t0: INT8, points: BYTEA }

/** The packed points of a series. */
export type ChunkPart = RowOf<typeof CHUNK_PART>

export const SEGMENT = {
  /** The generation of all of its points; null if each point has its own. */
  generation: nullable(INT8),
  series: BYTEA,
  points: BYTEA,
}

/** Points of several series that are not in chunks (src/datapoints/segments/segment.ts). */
export type StoredSegment = RowOf<typeof SEGMENT>

interface StoredPoints {
  /** The chunks may have points outside the range. */
  readonly chunks: readonly ChunkPart[]
  /** The segments may have points outside the range, and other series, even ones that the actor may not see. */
  readonly segments: readonly StoredSegment[]
  /** The series that the actor may see. */
  readonly visible: ReadonlySet<number>
}

/** Makes a parameter of series numbers. They are in ascending order, because statements search them. */
export function seriesNumbers(seriesIds: Iterable<number>): string[] {
  return Array.from(Float64Array.from(seriesIds).sort(), String)
}

/** SQL that tells whether a sorted parameter has a number between the first and last series of a hot segment `h`. */
export function hasSeries(numbers: string): string {
  return `width_bucket(h.series_lo - 1, ${numbers}::bigint[]) < width_bucket(h.series_hi, ${numbers}::bigint[])`
}

/** SQL for the hot segments that may have one of the series `$2`, with points from `$3` on and before `$4`. */
const OF_HOT_SEGMENTS = `from datapoints_hot h
  where h.domain_id = $1 and ${hasSeries('$2')} and h.t0 < $4 and h.t1 >= $3`
const HOT_SEGMENTS = `select ${HOT_COLUMNS} ${OF_HOT_SEGMENTS}`

/** SQL for the rows `b` of blocks that may have one of the series `$2`, with points from `$3` on and before `$4`. */
export const BLOCKS_OF_SERIES = `from (select distinct id >> 8 as block from unnest($2::bigint[]) id) wanted
  cross join lateral (
    select block, series, points from datapoint_blocks
    where domain_id = $1 and block = wanted.block and t0 < $4 and t1 >= $3 offset 0) b`
const BLOCK_SEGMENTS = `select null::bigint as generation, b.series, b.points ${BLOCKS_OF_SERIES}`

/**
 * Must come first in a transaction that reads hot points. TRUNCATE removes points that are folded meanwhile, and an
 * older snapshot would see neither the hot nor the folded points.
 */
export const LOCK_OF_HOT_POINTS = `lock table datapoints_hot in access share mode`

/** The lock of a reader that takes some buffers only, and checks afterwards that none of them was folded. */
export const LOCK_OF_HOT_TABLE = `lock table only datapoints_hot in access share mode`

export async function holdHotPoints(sql: Sql): Promise<void> {
  await sql.query(LOCK_OF_HOT_POINTS)
}

/**
 * Reads hot points in a long transaction, and then releases the lock, so that folding need not wait for the rest. Read
 * chunks afterwards: then no point is missed, but some may be seen twice. It does not work in a transaction with a
 * single snapshot.
 */
export async function lookAtHotPoints<T>(sql: Sql, look: (sql: Sql) => Promise<T>): Promise<T> {
  await sql.lockAfter('hot_points', LOCK_OF_HOT_POINTS)
  const found = await look(sql)
  await sql.query('rollback to savepoint hot_points')
  return found
}

/**
 * Settings that turn sorting off for the rest of a transaction. Without statistics, the planner assumes one row per
 * series, and sorts all its chunks instead of reading an index in order. PGlite never has statistics, and PostgreSQL
 * has none at first.
 */
export const ORDER_OF_INDEX = { enable_sort: 'off' } as const

export async function preferOrderOfIndex(sql: Sql): Promise<void> {
  await sql.setLocal(ORDER_OF_INDEX)
}

/**
 * SQL for the chunks that overlap a range. Chunks that begin on its first day or later are found by their beginning.
 * Only a few earlier chunks continue after midnight, at most until the end of their month, and these have a separate
 * index. The end is hidden in a sum, because the index of ends would read all later chunks. Row security of chunks
 * checks the domain, but not the unit, so chunks are read only through visible series.
 */
const CHUNKS = `from (
    select series_id, t0, points from datapoint_chunks
    where domain_id = $1 and series_id = any (array(${VISIBLE_SERIES}))
      and t0 >= $3::bigint - $3::bigint % ${DAY} and t0 < $4 and t1 + 0 >= $3
    union all
    select series_id, t0, points from datapoint_chunks
    where domain_id = $1 and series_id = any (array(${VISIBLE_SERIES}))
      and span = 1 and t0 >= $3::bigint - ${MONTH} and t0 < $3::bigint - $3::bigint % ${DAY} and t1 + 0 >= $3) chunks`

/**
 * A row is one of three kinds: a chunk if it has a series, its beginning and points; a segment if it has `series` and
 * `points`; otherwise a visible series.
 */
const PART_OF_POINTS = {
  seriesId: nullable(INT8),
  t0: nullable(INT8),
  ...HOT_SEGMENT,
  /** Only in hot segments. */
  bytes: nullable(INT8),
}

/**
 * Reads points from `from` on and before `to`, in microseconds since 1970. One statement reads all of them in one
 * snapshot.
 */
export async function fetchPoints(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  from: number,
  to: number,
): Promise<StoredPoints> {
  const rows = await sql.rows(
    PART_OF_POINTS,
    `select series_id as "seriesId", t0, null::bigint as generation, null::bytea as series, points,
       null::int8 as bytes ${CHUNKS}
     union all select null, null, generation, series, points, bytes from (${HOT_SEGMENTS}) hot
     union all select null, null, generation, series, points, null from (${BLOCK_SEGMENTS}) of_blocks
     union all select id, null, null, null, null, null from (${VISIBLE_SERIES}) visible`,
    [domainId, seriesNumbers(seriesIds), from, to],
  )
  const chunks: ChunkPart[] = []
  const segments: StoredSegment[] = []
  const visible = new Set<number>()
  for (const { seriesId, t0, generation, series, points, bytes } of rows) {
    if (bytes !== null) refuseMuchHot(bytes)
    if (series !== null && points !== null) segments.push({ generation, series, points })
    else if (seriesId !== null && t0 !== null && points !== null) chunks.push({ seriesId, t0, points })
    else if (seriesId !== null) visible.add(seriesId)
  }
  return { chunks, segments, visible }
}

/** Reads the chunks of some series that overlap a range. They may have points outside it. */
export async function fetchChunks(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ChunkPart[]> {
  return sql.rows(CHUNK_PART, `select series_id as "seriesId", t0, points ${CHUNKS}`, [
    domainId,
    seriesNumbers(seriesIds),
    from,
    to,
  ])
}

/** Reads the hot segments with points before `to`, of some buffers or all. */
export async function fetchHotSegments(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  to: number,
  buffers?: readonly HotBuffer[],
): Promise<StoredSegment[]> {
  if (seriesIds.length === 0 || buffers?.length === 0) return []
  const values = [domainId, seriesNumbers(seriesIds), EVER, to]
  if (buffers === undefined) return readableSegments(await sql.rows(HOT_SEGMENT, HOT_SEGMENTS, values))
  const rows = await sql.rows(HOT_SEGMENT, `${HOT_SEGMENTS} and h.buffer = any ($5::integer[])`, [
    ...values,
    buffers.map(({ buffer }) => String(buffer)),
  ])
  return readableSegments(rows)
}

/** Reads the hot segments of flushes after a number. */
export async function fetchHotSegmentsAfter(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  after: number,
): Promise<StoredSegment[]> {
  const values = [domainId, seriesNumbers(seriesIds), EVER, -EVER, after]
  return readableSegments(await sql.rows(HOT_SEGMENT, `${HOT_SEGMENTS} and h.generation > $5`, values))
}

/** Throws if `fetchHotSegments` would throw, without reading the segments. */
export async function refuseMuchHotOf(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  to: number,
): Promise<void> {
  const [row] = await sql.rows(
    { bytes: INT8 },
    `select coalesce(sum(octet_length(h.points)), 0)::int8 as bytes ${OF_HOT_SEGMENTS}`,
    [domainId, seriesNumbers(seriesIds), EVER, to],
  )
  refuseMuchHot(row?.bytes ?? 0)
}

/** Before all times. */
export const EVER = -(2 ** 52)

/** Reads the segments of the blocks of these series, with points from `from` on and before `to`. */
export async function fetchBlockSegments(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  { from = EVER, to }: { readonly from?: number; readonly to: number },
): Promise<StoredSegment[]> {
  return sql.rows(SEGMENT, BLOCK_SEGMENTS, [domainId, seriesNumbers(seriesIds), from, to])
}

/** Returns the given series that the actor may see. */
export async function fetchVisibleSeries(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await sql.rows({ id: INT8 }, VISIBLE_SERIES, [domainId, seriesNumbers(seriesIds)])
  return new Set(rows.map(({ id }) => id))
}
