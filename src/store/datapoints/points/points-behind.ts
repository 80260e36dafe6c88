import { INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { keyLines, RECORD_KEY } from '../../model/records.ts'
import { foldedPoints } from '../../model/series-behind.ts'
import { countBlocksAndChunks, GATHERED, gatheredLines, NAMED_WITH_SERIES } from './gathered-counts.ts'

const POINTS_BEHIND = {
  ...RECORD_KEY,
  points: INT8,
  systems: INT8,
  /** The number of points that are hot, since they arrived a moment ago. */
  hot: INT8,
}

/** The number of points behind a record, and of their systems. */
export type PointsBehind = RowOf<typeof POINTS_BEHIND>

/** Counts in two statements; the transaction must hold the hot points. What is folded in between is counted twice. */
export async function countPointsBehind(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<PointsBehind[]> {
  if (keys.length === 0) return []
  const counts = await countBlocksAndChunks(sql, domainId, keys)
  return sql.rows(
    POINTS_BEHIND,
    `with ${NAMED_WITH_SERIES}, ${GATHERED}, counted as materialized (
       select s.type, s.key, s.system_uuid,
         coalesce(${foldedPoints('s.id')}, 0) + coalesce(gathered.points, 0) as folded, coalesce(gathered.hot, 0) as hot
       from series_behind s left join gathered on gathered.id = s.id
     )
     select type, key, sum(folded + hot)::int8 as points, sum(hot)::int8 as hot,
       (count(distinct system_uuid) filter (where folded + hot > 0))::int8 as systems
     from counted group by type, key`,
    [domainId, ...keyLines(keys), ...gatheredLines(counts)],
  )
}
