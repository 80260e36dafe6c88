import { LASTING } from '../../../datapoints/segments/block-levels.ts'
import { BYTEA, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { hasSeries, seriesNumbers } from '../points/points.ts'

// Lost series are deleted series with points that may still be folded into chunks.

/** Reads at most `limit` lost series with numbers above `after`, in ascending order. */
export async function fetchLostSeriesAfter(
  sql: Sql,
  domainId: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select series_id as id from lost_series where domain_id = $1 and series_id > $2 order by series_id limit $3`,
    [domainId, after, limit],
  )
  return rows.map(({ id }) => id)
}

/** Reads at most `limit` series that were lost long ago, with numbers above `after`, in ascending order. */
export async function fetchLostBefore(
  sql: Sql,
  domainId: number,
  afterSeconds: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select series_id as id from lost_series
     where domain_id = $1 and series_id > $3 and lost_at < now() - make_interval(secs => $2) order by series_id limit $4`,
    [domainId, afterSeconds, after, limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * Finds the series that have a chunk. It looks up each series by the index: `offset 0` keeps the planner from reading
 * all chunks for a join.
 */
export async function fetchWithChunks(sql: Sql, domainId: number, lost: readonly number[]): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select lost.id from unnest($2::bigint[]) lost (id) where exists (
       select from datapoint_chunks c where c.domain_id = $1 and c.series_id = lost.id offset 0)`,
    [domainId, lost.map(String)],
  )
  return rows.map(({ id }) => id)
}

const DIRECTORY = { series: BYTEA }

/** The directory of a segment. */
export type Directory = RowOf<typeof DIRECTORY>

/**
 * Reads the directories of hot segments that may have these series. The transaction must hold the lock of hot points.
 */
export async function fetchHotDirectoriesOf(sql: Sql, domainId: number, lost: readonly number[]): Promise<Directory[]> {
  return sql.rows(DIRECTORY, `select h.series from datapoints_hot h where h.domain_id = $1 and ${hasSeries('$2')}`, [
    domainId,
    seriesNumbers(lost),
  ])
}

/** Reads the directories of the lasting rows, in the blocks of these series. */
export async function fetchLastingDirectoriesOf(
  sql: Sql,
  domainId: number,
  lost: readonly number[],
): Promise<Directory[]> {
  return sql.rows(
    DIRECTORY,
    `select b.series from (select distinct id >> 8 as block from unnest($2::bigint[]) id) known
     join datapoint_blocks b on b.domain_id = $1 and b.block = known.block and b.level >= ${LASTING}`,
    [domainId, lost.map(String)],
  )
}

export async function forgetLostSeries(sql: Sql, domainId: number, lost: readonly number[]): Promise<void> {
  await sql.query(`delete from lost_series where domain_id = $1 and series_id = any ($2::bigint[])`, [
    domainId,
    lost.map(String),
  ])
}
