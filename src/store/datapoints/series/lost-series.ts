import { LASTING } from '../../../datapoints/segments/block-levels.ts'
import { BYTEA, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { hasSeries, seriesNumbers } from '../points/points.ts'

/** Lists the domains with lost series: deleted series with points that may still be folded into chunks. */
export async function listDomainsWithLostSeries(database: Database): Promise<number[]> {
  const rows = await database.rows({ id: INT8 }, `select distinct domain_id as id from lost_series order by 1`)
  return rows.map(({ id }) => id)
}

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

const LOST = { domainId: INT8, seriesId: INT8 }

export type LostSeries = RowOf<typeof LOST>

/** Reads at most `limit` series that were lost long ago and have keys after `after`, in ascending order. */
export function fetchLostBefore(
  sql: Sql,
  afterSeconds: number,
  after: LostSeries,
  limit: number,
): Promise<LostSeries[]> {
  return sql.rows(
    LOST,
    `select domain_id as "domainId", series_id as "seriesId" from lost_series
     where (domain_id, series_id) > ($2, $3) and lost_at < now() - make_interval(secs => $1)
     order by domain_id, series_id limit $4`,
    [afterSeconds, after.domainId, after.seriesId, limit],
  )
}

/**
 * Finds the series that have a chunk. It looks up each series by the index: `offset 0` keeps the planner from reading
 * all chunks for a join.
 */
export async function fetchWithChunks(sql: Sql, lost: readonly LostSeries[]): Promise<number[]> {
  const rows = await sql.rows(
    { id: INT8 },
    `select known.series_id as id from ${KNOWN} where exists (
       select from datapoint_chunks c where c.domain_id = known.domain_id and c.series_id = known.series_id offset 0)`,
    columnsOf(lost),
  )
  return rows.map(({ id }) => id)
}

const KNOWN = 'unnest($1::bigint[], $2::bigint[]) known (domain_id, series_id)'

function columnsOf(lost: readonly LostSeries[]): [string[], string[]] {
  return [lost.map(({ domainId }) => String(domainId)), lost.map(({ seriesId }) => String(seriesId))]
}

const DIRECTORY = { domainId: INT8, series: BYTEA }

/** The directory of a segment, and its domain. */
export type DirectoryOfDomain = RowOf<typeof DIRECTORY>

/**
 * Reads the directories of hot segments that may have these series. The transaction must hold the lock of hot points.
 */
export async function fetchHotDirectoriesOf(sql: Sql, lost: readonly LostSeries[]): Promise<DirectoryOfDomain[]> {
  return sql.rows(
    DIRECTORY,
    `select h.domain_id as "domainId", h.series from datapoints_hot h where ${hasSeries('$1')}`,
    [seriesNumbers(lost.map(({ seriesId }) => seriesId))],
  )
}

/** Reads the directories of the rows that last, in the blocks of these series. */
export async function fetchLastingDirectoriesOf(sql: Sql, lost: readonly LostSeries[]): Promise<DirectoryOfDomain[]> {
  return sql.rows(
    DIRECTORY,
    `select b.domain_id as "domainId", b.series from (
       select distinct known.domain_id, known.series_id >> 8 as block from ${KNOWN}) known
     join datapoint_blocks b on b.domain_id = known.domain_id and b.block = known.block and b.level >= ${LASTING}`,
    columnsOf(lost),
  )
}

export async function forgetLostSeries(sql: Sql, lost: readonly LostSeries[]): Promise<void> {
  await sql.query(
    `delete from lost_series lost using ${KNOWN}
     where lost.domain_id = known.domain_id and lost.series_id = known.series_id`,
    columnsOf(lost),
  )
}
