import { INT8 } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { isAround } from './around.ts'
import { RECORD_KEY } from './records.ts'

/** How many records each type has, and how many of them differ from the last apply. */
export interface TypeCount {
  readonly type: RecordTypeName
  readonly records: number
  readonly drifted: number
}

export interface CountedTypes {
  readonly types: readonly RecordTypeName[]
  readonly hidden: readonly RecordTypeName[]
  /** Hides other records of the types `hidden`: see `RecordFilter`. */
  readonly around: readonly string[] | null
}

/** Each type is counted for itself, in an index that has nothing but types and keys. */
export async function fetchModelCounts(
  sql: Sql,
  domainId: number,
  { types, hidden, around }: CountedTypes,
): Promise<TypeCount[]> {
  return sql.rows(
    { type: RECORD_KEY.type, records: INT8, drifted: INT8 },
    `select counted.type, (
         select count(*) from records r where r.domain_id = $1 and r.type = counted.type
           and (not counted.type = any ($2) or ${isAround('$3')})
       ) as records, (
         select count(*) from record_drift d where d.domain_id = $1 and d.type = counted.type and $3::uuid[] is null
       ) as drifted
     from unnest($4::text[]) counted (type)`,
    [domainId, hidden, around, types],
  )
}
