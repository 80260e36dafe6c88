import { MONTH } from '../../../datapoints/chunks/pack-series.ts'
import { FULL, LASTING } from '../../../datapoints/segments/block-levels.ts'
import type { BlockRow } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { SegmentRow } from '../../../datapoints/segments/segment.ts'
import { BYTEA, INT4, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { acrossDomains, isOfDomains, valuesOf } from '../../across-domains.ts'
import { BinaryRows } from './binary-rows.ts'

// Blocks of neighbouring series (src/datapoints/segments/fold-into-blocks.ts).

/** A row with its level, and the arrival of its first point, in microseconds since 1970. */
interface PlacedBlockRow extends BlockRow {
  readonly level: number
  readonly arrivedAt: number
}

/** Encodes rows for `insertBlocks`. It is a separate function so that another thread can run it. */
export function encodeBlockRows(
  rows: readonly Omit<PlacedBlockRow, 'firstSeries' | 'lastSeries'>[],
): Uint8Array<ArrayBuffer> {
  const encoded = new BinaryRows(
    rows.reduce((sum, { series, points }) => sum + series.length + points.length + 120, 64),
  )
  for (const { domainId, block, generation, t0, t1, arrivedAt, level, count, series, points } of rows) {
    encoded.row(10, 100)
    for (const number of [domainId, block, generation, t0, t1, arrivedAt]) encoded.int8(number)
    encoded.int4(level)
    encoded.int4(count)
    encoded.bytes(series)
    encoded.bytes(points)
  }
  return encoded.finish()
}

export async function insertBlocks(sql: Transaction, encoded: Uint8Array): Promise<void> {
  const columns = 'domain_id, block, generation, t0, t1, arrived_at, level, count, series, points'
  await sql.copyIn(`copy datapoint_blocks (${columns}) from stdin with (format binary)`, encoded)
}

const TAKEN = {
  generation: INT8,
  t0: INT8,
  t1: INT8,
  arrivedAt: INT8,
  level: INT4,
  count: INT4,
  series: BYTEA,
  points: BYTEA,
}

export type TakenBlock = RowOf<typeof TAKEN>

/** The bytes of points from which on a transaction takes no more rows. They must fit into memory. */
export const BYTES_AT_ONCE = 16_777_216

/**
 * Takes rows of some levels of a block out of the table, to merge and insert them in the same transaction. The rows
 * that arrived first are taken first. It skips rows that another process is merging.
 */
export async function takeBlock(
  sql: Sql,
  domainId: number,
  block: number,
  levels: { readonly from: number; readonly to: number },
): Promise<TakenBlock[]> {
  return sql.rows(
    TAKEN,
    `with held as (
       select ctid as place, arrived_at, level, generation, t0, octet_length(points) as bytes from datapoint_blocks
       where domain_id = $1 and block = $2 and level between $3 and $4 for update skip locked),
     summed as (
       select place, sum(bytes) over (order by arrived_at, level, generation, t0) - bytes as before from held),
     gone as (
       delete from datapoint_blocks b
       where b.domain_id = $1 and b.ctid = any (array(select place from summed where before < ${BYTES_AT_ONCE}))
       returning generation, t0, t1, arrived_at, level, count, series, points)
     select generation, t0, t1, arrived_at as "arrivedAt", level, count, series, points from gone`,
    [domainId, block, levels.from, levels.to],
  )
}

/** Returns the existing series of a block. */
export async function fetchSeriesOfBlock(sql: Sql, domainId: number, block: number): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select id from series where domain_id = $1 and id >= $2::bigint << 8 and id < ($2::bigint + 1) << 8`,
    [domainId, block],
  )
  return rows.map(({ id }) => id)
}

const BLOCK_ROWS = {
  domainId: INT8,
  block: INT8,
  level: INT4,
  rows: INT4,
  points: INT8,
  bytes: INT8,
  arrivedAt: INT8,
}

/** The rows of one level of a block. */
type BlockRows = RowOf<typeof BLOCK_ROWS>

/**
 * Rows of a level are due if their number, their points or their bytes reach a limit. Recent rows are also
 * due if their points arrived `before` a time, in microseconds since 1970.
 */
type DueRows = { readonly [figure in 'rows' | 'lastingRows' | 'points' | 'bytes' | 'before']: number }

/**
 * Lists blocks by level, with figures of their rows that are due. It reads no points, and lists the others the next
 * time.
 */
export async function listDueRows(database: Database, due: DueRows): Promise<BlockRows[]> {
  return acrossDomains(database, null, (domains) =>
    database.rows(
      BLOCK_ROWS,
      `select domain_id as "domainId", block, level, count(*)::integer as rows, sum(count)::int8 as points,
         sum(octet_length(points))::int8 as bytes, min(arrived_at) as "arrivedAt"
       from datapoint_blocks where level < ${FULL} and ${isOfDomains(domains, 'domain_id', '$6')} group by 1, 2, 3
       having count(*) >= case when level < ${LASTING} then $1::int8 else $2::int8 end
         or count(*) > 1 and (sum(count) >= $3::int8 or sum(octet_length(points)) >= $4::int8)
         or level < ${LASTING} and min(arrived_at) <= $5::int8
       limit 200000`,
      [due.rows, due.lastingRows, due.points, due.bytes, due.before, ...valuesOf(domains)],
    ),
  )
}

/** SQL for rows with points before a time. Lasting rows count only if a point is a month before it. */
const isBefore = (limit: string): string =>
  `b.t0 < case when b.level < ${LASTING} then ${limit} else ${limit} - ${MONTH} end`

/** Points of characteristics before these times are deleted, in microseconds since 1970. */
export interface LimitsOfCharacteristics {
  readonly named: readonly { readonly uuid: string; readonly before: number }[]
  readonly others: number
}

const DUE_BLOCK = { block: INT8, before: INT8 }

/** A block with points to delete, and the latest limit of its series. */
export type DueBlock = RowOf<typeof DUE_BLOCK>

/** Finds the blocks that may have points to delete. It reads no points. */
export async function findDueBlocks(
  sql: Sql,
  domainId: number,
  { named, others }: LimitsOfCharacteristics,
): Promise<DueBlock[]> {
  return sql.rows(
    DUE_BLOCK,
    `with limits as materialized (
       select s.id >> 8 as block, max(coalesce(own.before, $4::bigint)) as before
       from series s left join unnest($2::uuid[], $3::bigint[]) own (uuid, before) on own.uuid = s.characteristic_uuid
       where s.domain_id = $1 group by 1)
     select distinct l.block, l.before from limits l join datapoint_blocks b on b.domain_id = $1 and b.block = l.block
     where ${isBefore('l.before')} order by l.block`,
    [domainId, named.map(({ uuid }) => uuid), named.map(({ before }) => String(before)), others],
  )
}

export const HELD_PLACE = { level: INT4, generation: INT8, t0: INT8, series: BYTEA }

/** A row of a block without its points, which this transaction has locked. */
export type HeldPlace = RowOf<typeof HELD_PLACE>

/** Locks the rows of a block with points before a time. It skips rows that are being merged. */
export async function holdRowsBefore(sql: Sql, domainId: number, { block, before }: DueBlock): Promise<HeldPlace[]> {
  return sql.rows(
    HELD_PLACE,
    `select b.level, b.generation, b.t0, b.series from datapoint_blocks b
     where b.domain_id = $1 and b.block = $2 and ${isBefore('$3::bigint')} for update skip locked`,
    [domainId, block, before],
  )
}

/** Locks the lasting rows of a block. It skips rows that are being merged. */
export async function holdLastingRows(sql: Sql, domainId: number, block: number): Promise<HeldPlace[]> {
  return sql.rows(
    HELD_PLACE,
    `select level, generation, t0, series from datapoint_blocks
     where domain_id = $1 and block = $2 and level >= ${LASTING} for update skip locked`,
    [domainId, block],
  )
}

const HELD = { level: INT4, generation: INT8, t0: INT8, count: INT4, series: BYTEA, points: BYTEA }

/** A locked row of a block, with its points. */
export type HeldBlock = RowOf<typeof HELD>

const OF_ROW = `where domain_id = $1 and block = $2 and level = $3 and generation = $4 and t0 = $5`

type PlaceOfRow = Pick<HeldBlock, 'level' | 'generation' | 't0'>

/** Reads a row that this transaction has locked, with its points. */
export async function fetchHeldRow(
  sql: Sql,
  domainId: number,
  block: number,
  { level, generation, t0 }: PlaceOfRow,
): Promise<HeldBlock[]> {
  return sql.rows(HELD, `select level, generation, t0, count, series, points from datapoint_blocks ${OF_ROW}`, [
    domainId,
    block,
    level,
    generation,
    t0,
  ])
}

export async function deleteBlockRow(
  sql: Sql,
  domainId: number,
  block: number,
  { level, generation, t0 }: PlaceOfRow,
): Promise<void> {
  await sql.query(`delete from datapoint_blocks ${OF_ROW}`, [domainId, block, level, generation, t0])
}

/** Replaces the points of a row by fewer points. The row keeps its `t0` if another row already has the new key. */
export async function replaceBlockRow(
  sql: Sql,
  domainId: number,
  block: number,
  { level, generation, t0 }: PlaceOfRow,
  left: SegmentRow,
): Promise<void> {
  const key = `domain_id = $1 and block = $2 and level = $3 and generation = $4 and t0 = $6::bigint`
  const first = `case when exists (select from datapoint_blocks where ${key}) then t0 else $6::bigint end`
  await sql.query(
    `update datapoint_blocks set t0 = ${first}, t1 = $7, count = $8, series = $9, points = $10 ${OF_ROW}`,
    [domainId, block, level, generation, t0, left.t0, left.t1, left.count, left.series, left.points],
  )
}
