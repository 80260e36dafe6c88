import type { Sql } from '../../db/sql.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'

/** An account of the model that has applied an import while every account could. */
export interface FormerEditor extends RecordKey {
  readonly body: RecordBody
  readonly applies: number
}

/** Those whose applies were made before the domain had roles, by name. */
export async function fetchFormerEditors(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
): Promise<FormerEditor[]> {
  return sql.query<FormerEditor>(
    `select r.type, r.key, r.body, made.applies from (
       select a.actor, count(*) as applies from applies a join domains d on d.id = a.domain_id
       where a.domain_id = $1 and a.applied_at < d.roles_since group by a.actor
     ) made join records r on r.domain_id = $1 and r.type = any ($2) and r.key = made.actor
     order by r.type, r.key`,
    [domainId, types],
  )
}
