import { UUID } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'

/**
 * The uuids of the organizations and units with these keys, and of all below them. What is below one has the keys from
 * `unit/` to `unit0`, the character after the slash, so that the index finds it.
 */
export async function fetchUnitsWithin(sql: Sql, domainId: number, keys: readonly string[]): Promise<string[]> {
  const which = `from records where domain_id = $1 and type = $2 and key`
  const rows = await sql.rows(
    { uuid: UUID },
    `select distinct unit.uuid from unnest($3::text[]) wanted cross join lateral (
       select uuid ${which} = wanted union all select uuid ${which} > wanted || '/' and key < wanted || '0') unit`,
    [domainId, DATA_TYPES.unit, keys],
  )
  return rows.map(({ uuid }) => uuid)
}
