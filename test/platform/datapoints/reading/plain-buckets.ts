import type { Aggregation } from '../../../../src/datapoints/buckets/aggregate.ts'
import { inTurns } from '../../../../src/db/breather.ts'
import { bucketEdges } from '../../../../src/datapoints/buckets/buckets.ts'
import { parseInterval } from '../../../../src/datapoints/buckets/calendar.ts'
import { FLOAT8, INT8, nullable } from '../../../../src/db/columns.ts'
import type { Database } from '../../../../src/db/sql.ts'

// Buckets as SQL makes them of points in a plain table.

export const FIGURES = [
  'min',
  'max',
  'sum',
  'avg',
  'count',
  'first',
  'last',
  'delta',
] as const satisfies readonly Aggregation[]

export interface Asked {
  readonly interval: string
  readonly timeZone: string
  readonly from: number
  readonly to: number
}

const FIGURES_OF_SQL = {
  bucket: INT8,
  count: INT8,
  min: FLOAT8,
  max: FLOAT8,
  sum: FLOAT8,
  first: FLOAT8,
  last: FLOAT8,
  before: nullable(FLOAT8),
}

/** Sums are exact, as decimals: values are eighths. */
export async function bySql(database: Database, { interval, timeZone, from, to }: Asked): Promise<unknown[]> {
  const edges = await inTurns(bucketEdges({ interval: parseInterval(interval), timeZone, from, to, limit: 10_000 }))
  const rows = await database.rows(
    FIGURES_OF_SQL,
    `select bucket::int8 as bucket, count(*) as count, min(value) as min, max(value) as max, sum(value::numeric)::float8 as sum,
       (array_agg(value order by at))[1] as first, (array_agg(value order by at desc))[1] as last,
       (select p.value from plain p where p.at < min(b.at) order by p.at desc limit 1) as before
     from (select width_bucket(at, $3::bigint[]) as bucket, at, value from plain where at >= $1 and at < $2) b
     group by bucket order by bucket`,
    [from, to, [...edges].map(String)],
  )
  return rows.map(({ bucket, count, min, max, sum, first, last, before }) => ({
    from: edges[bucket - 1],
    to: edges[bucket],
    count,
    cells: { min, max, sum, avg: sum / count, count, first, last, delta: last - (before ?? first) },
  }))
}
