import { JSONB_OBJECT, nullable, TEXT, TIMESTAMPTZ } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { fromLines } from '../lines.ts'
import { IDENTIFIED_RECORD, keyLines, type IdentifiedRecord } from '../model/records.ts'

export const PLATFORM_RECORD = {
  ...IDENTIFIED_RECORD,
  body: JSONB_OBJECT,
  hash: nullable(TEXT),
  createdAt: TIMESTAMPTZ,
}

/** A record that is not in the model. Imports never plan, export or delete it. */
export type PlatformRecord = RowOf<typeof PLATFORM_RECORD>

export const PLATFORM_RECORD_COLUMNS = `p.uuid, p.type, p.key, p.body, p.hash, p.created_at as "createdAt"`

/** Returns false if another record has the key. */
export async function insertPlatformRecord(
  sql: Sql,
  domainId: number,
  { uuid, type, key, body, hash, createdAt }: PlatformRecord,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into platform_records (domain_id, uuid, type, key, body, hash, created_at)
     values ($1, $2::uuid, $3, $4, $5::jsonb, $6, $7::timestamptz)
     on conflict (domain_id, type, key) do nothing returning 1 as one`,
    [domainId, uuid, type, key, JSON.stringify(body), hash, createdAt.toISOString()],
  )
  return rows.length === 1
}

/** Finds the record even if a record of the model has replaced it. */
export async function findPlatformRecord(
  sql: Sql,
  domainId: number,
  { type, key }: RecordKey,
): Promise<PlatformRecord | null> {
  const [found] = await sql.rows(
    PLATFORM_RECORD,
    `select ${PLATFORM_RECORD_COLUMNS} from platform_records p where p.domain_id = $1 and p.type = $2 and p.key = $3`,
    [domainId, type, key],
  )
  return found ?? null
}

/** Returns false if there is no record with this uuid. */
export async function updatePlatformRecord(
  sql: Sql,
  domainId: number,
  uuid: string,
  body: RecordBody,
): Promise<boolean> {
  const rows = await sql.query(
    `update platform_records set body = $3::jsonb where domain_id = $1 and uuid = $2::uuid returning 1 as one`,
    [domainId, uuid, JSON.stringify(body)],
  )
  return rows.length === 1
}

/**
 * Deletes the platform records with these keys, and returns their uuids for the records of the model that replace them.
 * So an account keeps its identity for applications, and its password until the model sets one. The platform decides
 * which accounts this applies to.
 */
export async function takeOverPlatformRecords(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<IdentifiedRecord[]> {
  if (keys.length === 0) return []
  return sql.rows(
    IDENTIFIED_RECORD,
    `with gone as (
       delete from platform_records p using ${fromLines('named', ['type', 'key'], 2)}
       where p.domain_id = $1 and p.type = named.type and p.key = named.key
       returning p.type, p.key, p.uuid, p.hash
     ), their_passwords as (
       insert into record_secrets (domain_id, record_uuid, hash, fingerprint, salt)
       select $1, uuid, hash, '', '' from gone where hash is not null returning record_uuid
     )
     select type, key, uuid from gone`,
    [domainId, ...keyLines(keys)],
  )
}
