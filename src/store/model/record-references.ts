import { BOOL, INT8 } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { fromLines, toLines } from '../lines.ts'
import { keyLines, RECORD_KEY, recordsByKey } from './records.ts'

export interface StoredReference {
  readonly from: RecordKey
  readonly to: RecordKey
  readonly owner: boolean
}

const { type, key } = RECORD_KEY
const REFERENCE = { fromType: type, fromKey: key, toType: type, toKey: key, owner: BOOL }

/** The references to these records. */
export async function fetchReferrers(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<StoredReference[]> {
  if (keys.length === 0) return []
  const rows = await sql.rows(
    REFERENCE,
    `select f.type as "fromType", f.key as "fromKey", t.type as "toType", t.key as "toKey", reference.owner
     from ${recordsByKey(2, 't')}
     cross join lateral (
       select from_uuid, owner from record_references where domain_id = $1 and to_uuid = t.uuid offset 0) reference
     cross join lateral (select type, key from records where domain_id = $1 and uuid = reference.from_uuid limit 1) f`,
    [domainId, ...keyLines(keys)],
  )
  return rows.map(({ fromType, fromKey, toType, toKey, owner }) => ({
    from: { type: fromType, key: fromKey },
    to: { type: toType, key: toKey },
    owner,
  }))
}

/** Deletes the references of these records. The references of their new bodies are inserted afterwards. */
export async function deleteReferencesFrom(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql.query(
    `delete from record_references reference
     using ${fromLines('named', ['type', 'key'], 2)}
     join records f on f.domain_id = $1 and f.type = named.type and f.key = named.key
     where reference.domain_id = $1 and reference.from_uuid = f.uuid`,
    [domainId, ...keyLines(keys)],
  )
}

/** Inserts references and returns their number. It is smaller than the given number if a record is missing. */
export async function insertReferences(
  sql: Sql,
  domainId: number,
  references: readonly StoredReference[],
): Promise<number> {
  if (references.length === 0) return 0
  const [from, to] = [references.map((reference) => reference.from), references.map((reference) => reference.to)]
  const [row] = await sql.rows(
    { written: INT8 },
    `with written as (
       insert into record_references (domain_id, from_uuid, to_uuid, owner)
       select $1, f.uuid, t.uuid, new.owner::boolean
       from ${fromLines('new', ['from_type', 'from_key', 'to_type', 'to_key', 'owner'], 2)}
       join records f on f.domain_id = $1 and f.type = new.from_type and f.key = new.from_key
       join records t on t.domain_id = $1 and t.type = new.to_type and t.key = new.to_key
       returning 1
     ) select count(*) as written from written`,
    [domainId, ...keyLines(from), ...keyLines(to), toLines(references.map(({ owner }) => String(owner)))],
  )
  return row?.written ?? 0
}
