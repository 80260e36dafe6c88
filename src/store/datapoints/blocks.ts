import type { BlockRow } from '../../datapoints/segments/gather-points.ts'
import { BYTEA, INT4, INT8 } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../db/sql.ts'
import { BinaryRows } from './binary-rows.ts'

// Blocks of neighbouring series (src/datapoints/segments/gather-points.ts).

/** SQL for the block of the series `id`, as `blockOf` gives it. */
export const blockOfSeries = (id: string): string => `(${id} >> 8)`

/** Encodes rows for `insertBlocks`. It is a function of its own so that another thread can do it. */
export function encodeBlockRows(
  rows: readonly BlockRow[],
  { level, arrivedAt }: { readonly level: number; readonly arrivedAt: number },
): Uint8Array<ArrayBuffer> {
  const encoded = new BinaryRows(
    rows.reduce((sum, { series, points }) => sum + series.length + points.length + 120, 64),
  )
  for (const { domainId, block, generation, t0, t1, count, series, points } of rows) {
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

const TAKEN = { arrivedAt: INT8, level: INT4, series: BYTEA, points: BYTEA }

export type TakenBlock = RowOf<typeof TAKEN>

/**
 * Takes the rows of a block up to a level out of the table, to be merged and put back in the same transaction. Rows that
 * another process is merging are left to it.
 */
export async function takeBlock(
  sql: Sql,
  domainId: number,
  block: number,
  levels: { readonly from: number; readonly to: number },
): Promise<TakenBlock[]> {
  return sql.rows(
    TAKEN,
    `with gone as (
       delete from datapoint_blocks b where b.domain_id = $1 and b.ctid = any (array(
         select ctid from datapoint_blocks where domain_id = $1 and block = $2 and level between $3 and $4
         for update skip locked))
       returning arrived_at, level, series, points)
     select arrived_at as "arrivedAt", level, series, points from gone`,
    [domainId, block, levels.from, levels.to],
  )
}

/** The series of a block that exist. */
export async function fetchSeriesOfBlock(sql: Sql, domainId: number, block: number): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select id from series where domain_id = $1 and id >= $2::bigint << 8 and id < ($2::bigint + 1) << 8`,
    [domainId, block],
  )
  return rows.map(({ id }) => id)
}

const BLOCK_ROWS = { domainId: INT8, block: INT8, level: INT4, rows: INT4, points: INT8, arrivedAt: INT8 }

/** The rows of one level of a block. */
export type BlockRows = RowOf<typeof BLOCK_ROWS>

/** All blocks by level, with the rows that they have. It reads no points. */
export async function listBlocks(database: Database): Promise<BlockRows[]> {
  return database.rows(
    BLOCK_ROWS,
    `select domain_id as "domainId", block, level, count(*)::integer as rows, sum(count)::int8 as points,
       min(arrived_at) as "arrivedAt"
     from datapoint_blocks group by 1, 2, 3`,
  )
}
