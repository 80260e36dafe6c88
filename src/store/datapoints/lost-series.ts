import { INT8 } from '../../db/columns.ts'
import type { Database, Sql, Transaction } from '../../db/sql.ts'

/** The domains that have lost series whose last points may still be under way. */
export async function listDomainsWithLostSeries(database: Database): Promise<number[]> {
  const rows = await database.rows({ id: INT8 }, `select distinct domain_id as id from lost_series order by 1`)
  return rows.map(({ id }) => id)
}

/** The lost series by number, from the one after the number `after`; no more than `limit`. */
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

/**
 * Forgets the lost series that no point can come of any more: all points that were accepted before a series was lost
 * have long been written and folded. The transaction has called `holdHotPoints` before, and does not have the role of a
 * domain, which would not see these points.
 */
export async function forgetLostSeries(sql: Transaction, afterSeconds: number): Promise<void> {
  await sql.query(
    `delete from lost_series lost where lost.lost_at < now() - make_interval(secs => $1)
       and not exists (
         select from datapoint_chunks c where c.domain_id = lost.domain_id and c.series_id = lost.series_id)
       and not exists (select from datapoints_hot h where h.series_id = lost.series_id)`,
    [afterSeconds],
  )
}
