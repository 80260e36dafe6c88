import { INT8, isListOf, jsonb, nullable } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { Erased, ErasedRange } from '../../datapoints/chunks/erased.ts'
import { isObject } from '../../lib/json.ts'

function isErasedRange(value: unknown): value is ErasedRange {
  return isObject(value) && ['from', 'to', 'through'].every((name) => typeof value[name] === 'number')
}

/** A column with the erased ranges of a series; null if it has none. */
export const ERASED = nullable(jsonb(isListOf(isErasedRange)))

/**
 * SQL for the erased ranges of the series `id` in the domain `$1`. Ranges are removed soon, so a domain usually has none,
 * and then nothing is searched for each series.
 */
export function erasedOf(id: string): string {
  return `case when (select exists (select from erased_ranges any_one where any_one.domain_id = $1)) then (
    select jsonb_agg(jsonb_build_object('from', erased.since, 'to', erased.until, 'through', erased.generation))
    from erased_ranges erased where erased.domain_id = $1 and erased.series_id = ${id}) end`
}

/** Reads the erased ranges of some series. */
export async function fetchErased(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
): Promise<ReadonlyMap<number, Erased>> {
  const rows = await sql.rows(
    { id: INT8, erased: ERASED },
    `select id, ${erasedOf('id')} as erased from unnest($2::bigint[]) id
     where exists (select from erased_ranges any_one where any_one.domain_id = $1)`,
    [domainId, seriesIds.map(String)],
  )
  return new Map(rows.map(({ id, erased }) => [id, erased]))
}

/** Erases a range of some series, in the transaction of the deletion. */
export async function insertErasedRanges(
  sql: Sql,
  domainId: number,
  deletionUuid: string,
  seriesIds: readonly number[],
  { from, to, through }: ErasedRange,
): Promise<void> {
  await sql.query(
    `insert into erased_ranges (domain_id, series_id, deletion_uuid, since, until, generation)
     select $1, id, $2::uuid, $4, $5, $6 from unnest($3::bigint[]) id returning 1 as one`,
    [domainId, deletionUuid, seriesIds.map(String), from, to, through],
  )
}

/** Returns the most ranges that one of these series has. */
export async function countErasedRanges(sql: Sql, domainId: number, seriesIds: readonly number[]): Promise<number> {
  const [row] = await sql.rows(
    { most: INT8 },
    `select coalesce(max(ranges), 0)::int8 as most from (
       select count(*) as ranges from erased_ranges where domain_id = $1 and series_id = any ($2::bigint[])
       group by series_id) counted`,
    [domainId, seriesIds.map(String)],
  )
  return row?.most ?? 0
}
