import type { Sql } from '../../db/sql.ts'
import { sortKeys } from '../../lib/json.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { fromLines, toLines } from '../lines.ts'
import { keyLines } from './records.ts'

export interface DriftRow extends RecordKey {
  readonly base: RecordBody | null
  readonly actor: string
  readonly changedAt: Date
  /** Who changed each field last, and when. */
  readonly fields: { readonly [field: string]: { readonly actor: string; readonly at: string } }
}

export async function fetchDrift(sql: Sql, domainId: number): Promise<DriftRow[]> {
  const rows = await sql.query<DriftRow>(
    `select type, key, base, actor, changed_at as "changedAt", fields from record_drift where domain_id = $1`,
    [domainId],
  )
  return rows.map((row) => ({ ...row, base: row.base === null ? null : sortKeys(row.base) }))
}

/** Remembers what the last apply left. The first change since then counts: later ones only change who made it. */
export async function noteDrift(sql: Sql, domainId: number, rows: readonly DriftRow[]): Promise<void> {
  await insertDrift(
    sql,
    domainId,
    rows,
    `actor = excluded.actor, changed_at = excluded.changed_at, fields = record_drift.fields || excluded.fields`,
  )
}

/** What an apply leaves undecided goes on being compared with what it was before. */
export async function keepDrift(sql: Sql, domainId: number, rows: readonly DriftRow[]): Promise<void> {
  await insertDrift(sql, domainId, rows, `base = excluded.base, fields = excluded.fields`)
}

async function insertDrift(sql: Sql, domainId: number, rows: readonly DriftRow[], again: string): Promise<void> {
  if (rows.length === 0) return
  await sql.query(
    `insert into record_drift (domain_id, type, key, base, actor, changed_at, fields)
     select $1, type, key, nullif(base, 'null')::jsonb, actor::jsonb #>> '{}', changed_at::timestamptz, fields::jsonb
     from ${fromLines('new', ['type', 'key', 'base', 'actor', 'changed_at', 'fields'], 2)}
     on conflict (domain_id, type, key) do update set ${again}`,
    [
      domainId,
      ...keyLines(rows),
      toLines(rows.map(({ base }) => JSON.stringify(base))),
      toLines(rows.map(({ actor }) => JSON.stringify(actor))),
      toLines(rows.map(({ changedAt }) => changedAt.toISOString())),
      toLines(rows.map(({ fields }) => JSON.stringify(fields))),
    ],
  )
}

/** A rollback restores some records and looks at no others. */
export async function forgetDriftOf(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql.query(
    `delete from record_drift d using ${fromLines('restored', ['type', 'key'], 2)}
     where d.domain_id = $1 and d.type = restored.type and d.key = restored.key`,
    [domainId, ...keyLines(keys)],
  )
}

/** After an apply nothing of its types has drifted, except the records that it was not asked to touch. */
export async function forgetDrift(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
  except: readonly RecordKey[],
): Promise<void> {
  await sql.query(
    `delete from record_drift d where d.domain_id = $1 and d.type = any ($4)
     and not exists (select from ${fromLines('kept', ['type', 'key'], 2)} where kept.type = d.type and kept.key = d.key)`,
    [domainId, ...keyLines(except), types],
  )
}
