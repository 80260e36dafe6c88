import { KINDS } from '../../datapoints/chunks/flush.ts'
import type { ErasedRange } from '../../datapoints/chunks/erased.ts'
import { MONTH } from '../../datapoints/chunks/pack-series.ts'
import { INT4, INT8, oneOf, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql, SqlValue } from '../../db/sql.ts'
import { HELD_PLACE, type HeldPlace } from './packed/blocks.ts'

// Upkeep removes erased points with these statements.

const RANGE_OF_SERIES = { seriesId: INT8, deletionUuid: UUID, from: INT8, to: INT8, through: INT8 }

/** An erased range of one series. */
export type RangeOfSeries = RowOf<typeof RANGE_OF_SERIES>

/**
 * Reads at most `limit` ranges whose points are no longer hot, by series. No point of such a range can become hot, because
 * a deletion fences flushes (`fenceFlushes`). Rows that cannot be read stay hot, so the ranges of their series stay, too.
 */
export function fetchColdRanges(
  database: Database,
  domainId: number,
  after: number,
  limit: number,
): Promise<RangeOfSeries[]> {
  return database.rows(
    RANGE_OF_SERIES,
    `with damaged as materialized (
       select d.series_lo, d.series_hi, d.t0, d.t1, d.generation from datapoints_hot_damaged d where d.domain_id = $1)
     select e.series_id as "seriesId", e.deletion_uuid as "deletionUuid", e.since as "from", e.until as "to",
       e.generation as through
     from erased_ranges e
     where e.domain_id = $1 and e.series_id > $2
       and e.generation < coalesce((select min(h.generation) from datapoints_hot h where h.domain_id = $1 and h.buffer >= 0),
         e.generation + 1)
       and not exists (
         select from damaged d where d.series_lo <= e.series_id
           and d.series_hi >= e.series_id and d.t0 < e.until and d.t1 >= e.since and d.generation <= e.generation)
     order by e.series_id limit $3`,
    [domainId, after, limit],
  )
}

type KeyOfRange = Pick<RangeOfSeries, 'seriesId' | 'deletionUuid'>

/** The ranges that are still stored: after a restore or failover, the database may lack those that were read before. */
const RANGES = `erased_ranges e join unnest($2::bigint[], $3::uuid[]) meant (id, deletion)
  on e.domain_id = $1 and e.series_id = meant.id and e.deletion_uuid = meant.deletion`

function keysOf(ranges: readonly KeyOfRange[]): string[][] {
  return [ranges.map(({ seriesId }) => String(seriesId)), ranges.map(({ deletionUuid }) => deletionUuid)]
}

/** Locks ranges, and reads them again. It leaves out ranges that another process holds or that exist no longer. */
export function holdErasedRanges(
  sql: Sql,
  domainId: number,
  ranges: readonly RangeOfSeries[],
): Promise<RangeOfSeries[]> {
  return sql.rows(
    RANGE_OF_SERIES,
    `select e.series_id as "seriesId", e.deletion_uuid as "deletionUuid", e.since as "from", e.until as "to",
       e.generation as through
     from ${RANGES} order by e.series_id for update of e skip locked`,
    [domainId, ...keysOf(ranges)],
  )
}

/** Deletes at most `most` chunks that are erased as a whole, and returns how many. It skips chunks that are being merged. */
export async function deleteErasedChunks(
  database: Database,
  domainId: number,
  ranges: readonly RangeOfSeries[],
  most: number,
): Promise<number> {
  const [row] = await database.rows(
    { deleted: INT8 },
    `with held as (
       select c.series_id, c.t0, c.generation from ${RANGES}
       join datapoint_chunks c on c.domain_id = $1 and c.series_id = e.series_id and c.t0 >= e.since
         and c.t0 < e.until and c.t1 < e.until and c.generation <= e.generation
       limit $4 for update of c skip locked
     ), gone as (
       delete from datapoint_chunks c using held
       where c.domain_id = $1 and c.series_id = held.series_id and c.t0 = held.t0 and c.generation = held.generation
       returning 1)
     select count(*) as deleted from gone`,
    [domainId, ...keysOf(ranges), most],
  )
  return row?.deleted ?? 0
}

const CHUNK_OF_RANGE = { seriesId: INT8, kind: oneOf(KINDS), t0: INT8, generation: INT8, bytes: INT4 }

/** A chunk that overlaps an erased range, without its points. */
export type ErasedChunk = RowOf<typeof CHUNK_OF_RANGE>

const OVERLAPPING = `from datapoint_chunks c join series s on s.domain_id = c.domain_id and s.id = c.series_id
     where c.domain_id = $1 and c.series_id = any ($2::bigint[])
       and c.t0 < (select max(e.until) from ${RANGES}) and c.t0 > (select min(e.since) from ${RANGES}) - ${MONTH}
       and exists (select from ${RANGES} where e.series_id = c.series_id and c.t0 < e.until and c.t1 >= e.since)`

/**
 * Locks the chunks that overlap the ranges. If another transaction holds some of them or has made others meanwhile, `areAll`
 * is false, because these may have erased points, too.
 */
export async function holdErasedChunks(
  sql: Sql,
  domainId: number,
  ranges: readonly RangeOfSeries[],
): Promise<{ readonly chunks: readonly ErasedChunk[]; readonly areAll: boolean }> {
  const values = [domainId, ...keysOf(ranges)]
  const chunks = await sql.rows(
    CHUNK_OF_RANGE,
    `select c.series_id as "seriesId", s.value_kind as kind, c.t0, c.generation, octet_length(c.points) as bytes
     ${OVERLAPPING} for update of c skip locked`,
    values,
  )
  return { chunks, areAll: await hasRows(sql, chunks.length, `select count(*) as rows ${OVERLAPPING}`, values) }
}

/** Tells whether a later statement finds no other rows than the locked ones. */
async function hasRows(sql: Sql, held: number, text: string, values: readonly SqlValue[]): Promise<boolean> {
  const [row] = await sql.rows({ rows: INT8 }, text, values)
  return row?.rows === held
}

const ROWS_OF_BLOCK = `from datapoint_blocks b where b.domain_id = $1 and b.block = $2 and b.t0 < $4 and b.t1 >= $3`

/** Locks the rows of a block that overlap a range, as `holdErasedChunks` does. */
export async function holdErasedRows(
  sql: Sql,
  domainId: number,
  block: number,
  { from, to }: Pick<ErasedRange, 'from' | 'to'>,
): Promise<{ readonly rows: readonly HeldPlace[]; readonly areAll: boolean }> {
  const values = [domainId, block, from, to]
  const rows = await sql.rows(
    HELD_PLACE,
    `select b.level, b.generation, b.t0, b.series ${ROWS_OF_BLOCK} for update skip locked`,
    values,
  )
  return { rows, areAll: await hasRows(sql, rows.length, `select count(*) as rows ${ROWS_OF_BLOCK}`, values) }
}

export async function deleteChunks(sql: Sql, domainId: number, chunks: readonly ErasedChunk[]): Promise<void> {
  await sql.query(
    `delete from datapoint_chunks c using unnest($2::bigint[], $3::bigint[], $4::bigint[]) gone (id, t0, generation)
     where c.domain_id = $1 and c.series_id = gone.id and c.t0 = gone.t0 and c.generation = gone.generation`,
    [
      domainId,
      ...(['seriesId', 't0', 'generation'] as const).map((name) => chunks.map((chunk) => String(chunk[name]))),
    ],
  )
}

/** Removes ranges whose points are gone. */
export async function deleteErasedRanges(sql: Sql, domainId: number, ranges: readonly RangeOfSeries[]): Promise<void> {
  await sql.query(
    `delete from erased_ranges e using unnest($2::bigint[], $3::uuid[]) gone (id, deletion)
     where e.domain_id = $1 and e.series_id = gone.id and e.deletion_uuid = gone.deletion`,
    [domainId, ...keysOf(ranges)],
  )
}
