import { INT8 } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { RECORD_KEY } from './records.ts'

/** How many records each type has, and how many of them differ from the last apply. */
export interface TypeCount {
  readonly type: RecordTypeName
  readonly records: number
  readonly drifted: number
}

/** `around` hides other records of the types `hidden`: see `RecordFilter`. */
export async function fetchModelCounts(
  sql: Sql,
  domainId: number,
  hidden: readonly RecordTypeName[],
  around: readonly string[] | null,
): Promise<TypeCount[]> {
  return sql.rows(
    { type: RECORD_KEY.type, records: INT8, drifted: INT8 },
    `select type, sum(records)::int8 as records, sum(drifted)::int8 as drifted from (
       select r.type, count(*) as records, 0 as drifted from records r
       where r.domain_id = $1 and ($3::uuid[] is null or not r.type = any ($2) or r.uuid = any ($3::uuid[]) or exists (
         select from record_references f where f.domain_id = $1 and f.from_uuid = r.uuid and f.to_uuid = any ($3::uuid[])))
       group by r.type
       union all
       select d.type, 0, count(*) from record_drift d where d.domain_id = $1 and $3::uuid[] is null group by d.type
     ) counted group by type`,
    [domainId, hidden, around],
  )
}
