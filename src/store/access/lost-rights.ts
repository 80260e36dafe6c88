import { INT8, JSONB_OBJECT } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { RECORD_KEY } from '../model/records.ts'

const FORMER_EDITOR = { ...RECORD_KEY, body: JSONB_OBJECT, applies: INT8 }

/** An account of the model that has applied imports while every account could. */
export type FormerEditor = RowOf<typeof FORMER_EDITOR>

/** The accounts whose applies were made before the domain had roles, by name. */
export async function fetchFormerEditors(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
): Promise<FormerEditor[]> {
  return sql.rows(
    FORMER_EDITOR,
    `select r.type, r.key, r.body, made.applies from (
       select a.actor, count(*) as applies from applies a join domains d on d.id = a.domain_id
       where a.domain_id = $1 and a.applied_at < d.roles_since group by a.actor
     ) made join records r on r.domain_id = $1 and r.type = any ($2) and r.key = made.actor
     order by r.type, r.key`,
    [domainId, types],
  )
}
