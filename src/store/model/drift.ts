import { BOOL, INT8, isMapOf, jsonb, JSONB_OBJECT, nullable, TEXT, TIMESTAMPTZ } from '../../db/columns.ts'
import { hasShape, type RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { sortKeys } from '../../lib/json.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { fromLines, toLines } from '../lines.ts'
import { keyLines, RECORD_KEY } from './records.ts'

const DRIFT = {
  ...RECORD_KEY,
  /** The body after the last apply; null if there was no record. */
  base: nullable(JSONB_OBJECT),
  actor: TEXT,
  changedAt: TIMESTAMPTZ,
  /** The author and the time of the last change of each field. */
  fields: jsonb(isMapOf(hasShape({ actor: TEXT, at: TEXT }))),
}

export type DriftRow = RowOf<typeof DRIFT>

export async function fetchDrift(sql: Sql, domainId: number): Promise<DriftRow[]> {
  const rows = await sql.rows(
    DRIFT,
    `select type, key, base, actor, changed_at as "changedAt", fields from record_drift where domain_id = $1`,
    [domainId],
  )
  return rows.map((row) => ({ ...row, base: row.base === null ? null : sortKeys(row.base) }))
}

const DRIFT_SIZE = { bytes: INT8 }

/** The bytes of all drift, with the present states of its records. */
export async function measureDrift(sql: Sql, domainId: number): Promise<number> {
  const rows = await sql.rows(
    DRIFT_SIZE,
    `select coalesce(sum(coalesce(octet_length(d.base::text), 0) + octet_length(d.fields::text)
       + coalesce(octet_length(r.body::text), 0)), 0)::int8 as bytes
     from record_drift d left join records r on r.domain_id = $1 and r.type = d.type and r.key = d.key
     where d.domain_id = $1`,
    [domainId],
  )
  return rows[0]?.bytes ?? 0
}

/** The drift of these records. Records without drift are left out. */
export async function fetchDriftOf(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<DriftRow[]> {
  if (keys.length === 0) return []
  return sql.rows(
    DRIFT,
    `select d.type, d.key, d.base, d.actor, d.changed_at as "changedAt", d.fields
     from ${fromLines('named', ['type', 'key'], 2)}
     cross join lateral (
       select * from record_drift where domain_id = $1 and type = named.type and key = named.key limit 1) d`,
    [domainId, ...keyLines(keys)],
  )
}

/** Stores the state after the last apply: the body before the first later change. Further changes add their authors. */
export async function noteDrift(sql: Sql, domainId: number, rows: readonly DriftRow[]): Promise<void> {
  await insertDrift(
    sql,
    domainId,
    rows,
    `actor = excluded.actor, changed_at = excluded.changed_at, fields = record_drift.fields || excluded.fields`,
  )
}

/** Keeps the drift that an apply leaves undecided. It is still compared with the older state. */
export async function keepDrift(sql: Sql, domainId: number, rows: readonly DriftRow[]): Promise<void> {
  await insertDrift(sql, domainId, rows, `base = excluded.base, fields = excluded.fields`)
}

async function insertDrift(sql: Sql, domainId: number, rows: readonly DriftRow[], again: string): Promise<void> {
  if (rows.length === 0) return
  await sql.query(
    `insert into record_drift (domain_id, type, key, base, actor, changed_at, fields)
     select $1, type, key, nullif(base, 'null')::jsonb, actor::jsonb #>> '{}', changed_at::timestamptz, fields::jsonb
     from ${fromLines('new', ['type', 'key', 'base', 'actor', 'changed_at', 'fields'], 2)}
     on conflict (domain_id, type, key) do update set ${again} returning 1 as one`,
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

/** Deletes the drift of the records that a rollback has restored. A rollback affects no others. */
export async function forgetDriftOf(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql.query(
    `delete from record_drift d using ${fromLines('restored', ['type', 'key'], 2)}
     where d.domain_id = $1 and d.type = restored.type and d.key = restored.key`,
    [domainId, ...keyLines(keys)],
  )
}

/** Deletes the drift of the types of an apply, except for records that the apply left alone. */
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

const DRIFT_COUNT = { count: INT8, hasMore: BOOL, since: nullable(TIMESTAMPTZ), actor: nullable(TEXT) }

export type DriftCount = RowOf<typeof DRIFT_COUNT>

/** The number of records with drift of some types (up to a limit), and the first change's time and author. */
export async function countDrift(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
  most: number,
): Promise<DriftCount> {
  const [row] = await sql.rows(
    DRIFT_COUNT,
    `select least(count(*), $3)::int8 as count, count(*) > $3 as "hasMore", min(changed_at) as since,
       (array_agg(actor order by changed_at))[1] as actor from (
       select d.changed_at, d.actor from record_drift d
       where d.domain_id = $1 and d.type = any ($2::text[]) and (d.base is not null or exists (
         select from records r where r.domain_id = $1 and r.type = d.type and r.key = d.key))
       limit $3 + 1) drifted`,
    [domainId, types, most],
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}
