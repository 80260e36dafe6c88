import type { Sql } from '../db/sql.ts'
import type { Digest } from '../lib/digest.ts'
import type { JsonObject } from '../lib/json.ts'
import type { RecordBody, RecordKey } from '../records/record-type.ts'
import { fromLines, toLines } from './lines.ts'
import { keyLines } from './records.ts'

export interface ApplyRow {
  readonly uuid: string
  readonly at: Date
  readonly actor: string
  readonly origin: JsonObject
  readonly planDigest: Digest
  readonly summary: JsonObject
  readonly scope: JsonObject
  readonly managedBefore: JsonObject
}

/** A change as it was made; secrets are in neither body. */
export interface ApplyChangeRow extends RecordKey {
  /** Of the record; in a row to write null for a record that exists already. */
  readonly uuid: string | null
  readonly from: string | null
  readonly action: string
  readonly cause: string
  readonly before: RecordBody | null
  readonly after: RecordBody | null
}

const COLUMNS = `uuid, applied_at as at, actor, origin, plan_digest as "planDigest", summary, scope, managed_before as "managedBefore"`

export async function fetchApply(sql: Sql, domainId: number, uuid: string): Promise<ApplyRow | null> {
  const [row] = await sql.query<ApplyRow>(`select ${COLUMNS} from applies where domain_id = $1 and uuid = $2`, [
    domainId,
    uuid,
  ])
  return row ?? null
}

/** Newest first. `before`: the apply after which to go on. */
export async function fetchApplies(
  sql: Sql,
  domainId: number,
  first: number,
  before: string | null,
): Promise<ApplyRow[]> {
  return sql.query<ApplyRow>(
    `select ${COLUMNS} from applies
     where domain_id = $1
       and ($2::uuid is null or (applied_at, uuid) < (select applied_at, uuid from applies where domain_id = $1 and uuid = $2::uuid))
     order by applied_at desc, uuid desc limit $3`,
    [domainId, before, first],
  )
}

export async function fetchApplyChanges(sql: Sql, domainId: number, uuid: string): Promise<ApplyChangeRow[]> {
  return sql.query<ApplyChangeRow>(
    `select type, key, record_uuid as uuid, from_key as "from", action, cause, before, after from apply_changes
     where domain_id = $1 and apply_uuid = $2 order by position`,
    [domainId, uuid],
  )
}

export async function insertApply(sql: Sql, domainId: number, apply: ApplyRow): Promise<void> {
  await sql.query(
    `insert into applies (domain_id, uuid, applied_at, actor, origin, plan_digest, summary, scope, managed_before)
     values ($1, $2, $3::timestamptz, $4, $5::jsonb, $6, $7::jsonb, $8::jsonb, $9::jsonb)`,
    [
      domainId,
      apply.uuid,
      apply.at.toISOString(),
      apply.actor,
      JSON.stringify(apply.origin),
      apply.planDigest,
      JSON.stringify(apply.summary),
      JSON.stringify(apply.scope),
      JSON.stringify(apply.managedBefore),
    ],
  )
}

/** Must be called before the changes are made: it looks up the uuids of the records that exist. */
export async function insertApplyChanges(
  sql: Sql,
  domainId: number,
  uuid: string,
  changes: readonly ApplyChangeRow[],
): Promise<void> {
  if (changes.length === 0) return
  await sql.query(
    `insert into apply_changes (domain_id, apply_uuid, position, type, key, record_uuid, from_key, action, cause, before, after)
     select $1, $2::uuid, new.position::integer, new.type, new.key, coalesce(nullif(new.uuid, '')::uuid, r.uuid), nullif(new.from_key, ''), new.action, new.cause,
            nullif(new.before, 'null')::json, nullif(new.after, 'null')::json
     from ${fromLines('new', ['type', 'key', 'uuid', 'position', 'from_key', 'action', 'cause', 'before', 'after'], 3)}
     left join records r on r.domain_id = $1 and r.type = new.type and r.key = coalesce(nullif(new.from_key, ''), new.key)`,
    [
      domainId,
      uuid,
      ...keyLines(changes),
      toLines(changes.map(({ uuid: record }) => record ?? '')),
      toLines(changes.map((_, position) => String(position))),
      toLines(changes.map(({ from }) => from ?? '')),
      toLines(changes.map(({ action }) => action)),
      toLines(changes.map(({ cause }) => cause)),
      toLines(changes.map(({ before }) => JSON.stringify(before))),
      toLines(changes.map(({ after }) => JSON.stringify(after))),
    ],
  )
}
