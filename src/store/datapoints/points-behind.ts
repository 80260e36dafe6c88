import { INT8 } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { fromLines } from '../lines.ts'
import { keyLines, RECORD_KEY } from '../model/records.ts'
import { foldedPoints, SERIES_BEHIND } from '../model/series-behind.ts'

const POINTS_BEHIND = {
  ...RECORD_KEY,
  points: INT8,
  systems: INT8,
  /** The number of points that are not in chunks yet, since they arrived a moment ago. */
  hot: INT8,
}

/** The number of points behind a record, and of their systems. */
export type PointsBehind = RowOf<typeof POINTS_BEHIND>

/** Counts in one statement; the transaction must hold the hot points. */
export async function countPointsBehind(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<PointsBehind[]> {
  if (keys.length === 0) return []
  return sql.rows(
    POINTS_BEHIND,
    `with named as materialized (
       select r.type, r.key, r.uuid from ${fromLines('wanted', ['type', 'key'], 2)}
       join records r on r.domain_id = $1 and r.type = wanted.type and r.key = wanted.key
     ), series_behind as materialized (${SERIES_BEHIND}),
     hot as materialized (
       select h.series_id, count(*) as count from datapoints_hot h
       where h.series_id in (select id from series_behind) group by h.series_id
     ), counted as materialized (
       select s.type, s.key, s.system_uuid, coalesce(${foldedPoints('s.id')}, 0) as folded, coalesce(hot.count, 0) as hot
       from series_behind s left join hot on hot.series_id = s.id
     )
     select type, key, sum(folded + hot)::int8 as points, sum(hot)::int8 as hot,
       (count(distinct system_uuid) filter (where folded + hot > 0))::int8 as systems
     from counted group by type, key`,
    [domainId, ...keyLines(keys)],
  )
}
