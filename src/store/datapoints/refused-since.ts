import { INT8, TEXT } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'

const REFUSED_SINCE = {
  code: TEXT,
  count: INT8,
  /** Counted together with those of earlier hours of that day, so some of them may be from before. */
  perhaps: INT8,
}

export type RefusedSince = RowOf<typeof REFUSED_SINCE>

/** How many datapoints of some characteristics were refused since a moment, by code; null: of any characteristic. */
export async function fetchRefusedSince(
  sql: Sql,
  domainId: number,
  characteristics: readonly string[] | null,
  since: Date,
): Promise<RefusedSince[]> {
  return sql.rows(
    REFUSED_SINCE,
    `select code,
       coalesce(sum(count) filter (where first_at >= $3::timestamptz), 0)::int8 as count,
       coalesce(sum(count) filter (where first_at < $3::timestamptz), 0)::int8 as perhaps
     from refused_datapoints
     where domain_id = $1 and last_at >= $3::timestamptz and ($2::uuid[] is null or characteristic_uuid = any ($2::uuid[]))
     group by code order by count desc, code`,
    [domainId, characteristics, since.toISOString()],
  )
}
