import type { Sql } from '../db/sql.ts'
import type { RecordKey, RecordTypeName } from '../records/record-type.ts'
import { fromLines } from './lines.ts'
import { keyLines } from './records.ts'

/** What hangs on a record, by what is counted; only what is not zero is named. */
export type Counts = { readonly [counted: string]: number }

/**
 * How much hangs on the records that are named, in one statement. Each kind of thing that can hang on a record adds one
 * branch to the union: systems, components, events and datapoints come with their tables.
 */
export async function fetchImpact(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<ReadonlyMap<string, Counts>> {
  if (keys.length === 0) return new Map()
  const rows = await sql.query<{ type: RecordTypeName; key: string; counted: string; count: number }>(
    `with named as (
       select r.type, r.key, r.uuid from ${fromLines('wanted', ['type', 'key'], 2)}
       join records r on r.domain_id = $1 and r.type = wanted.type and r.key = wanted.key
     )
     select named.type, named.key, 'users' as counted, count(*) as count
     from named
     join record_references reference on reference.domain_id = $1 and reference.to_uuid = named.uuid and not reference.owner
     join records f on f.domain_id = $1 and f.uuid = reference.from_uuid and f.type = 'users'
     group by named.type, named.key`,
    [domainId, ...keyLines(keys)],
  )
  const impact = new Map<string, { [counted: string]: number }>()
  for (const { type, key, counted, count } of rows) {
    const id = `${type}/${key}`
    impact.set(id, { ...impact.get(id), [counted]: count })
  }
  return impact
}
