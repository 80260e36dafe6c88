import { TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { GENERATED_FINGERPRINT } from '../../records/secret.ts'
import { fromLines, toLines } from '../lines.ts'
import { keyLines, RECORD_KEY } from './records.ts'

const SECRET = { ...RECORD_KEY, fingerprint: TEXT, salt: TEXT }
const SECRET_WITH_HASH = { ...SECRET, hash: TEXT }

export type StoredSecret = RowOf<typeof SECRET>
export type NewSecret = RowOf<typeof SECRET_WITH_HASH>

/** The values that compare the secrets of some types. Hashes are not returned. */
export async function fetchSecrets(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
): Promise<StoredSecret[]> {
  if (types.length === 0) return []
  return sql.rows(
    SECRET,
    `select r.type, r.key, s.fingerprint, s.salt
     from record_secrets s join records r on r.domain_id = s.domain_id and r.uuid = s.record_uuid
     where s.domain_id = $1 and r.type = any ($2)`,
    [domainId, types],
  )
}

/** The records whose secret the platform has created. */
export async function fetchGeneratedSecrets(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
): Promise<RecordKey[]> {
  return (await fetchSecrets(sql, domainId, types)).filter(({ fingerprint }) => fingerprint === GENERATED_FINGERPRINT)
}

/**
 * Stores secrets, and returns the uuids of their accounts. The caller must end everything that was issued to these
 * (`endAll`), so that the old secret becomes useless. Passwords of people are given with null and stored with an empty
 * fingerprint and salt.
 */
export async function saveSecrets(
  sql: Sql,
  domainId: number,
  secrets: readonly NewSecret[],
): Promise<readonly string[]> {
  if (secrets.length === 0) return []
  const saved = await sql.rows(
    { uuid: UUID },
    `insert into record_secrets (domain_id, record_uuid, hash, fingerprint, salt)
     select $1, r.uuid, new.hash, coalesce(new.fingerprint, ''), coalesce(new.salt, '')
     from ${fromLines('new', ['type', 'key', 'hash', 'fingerprint', 'salt'], 2)}
     join records r on r.domain_id = $1 and r.type = new.type and r.key = new.key
     on conflict (domain_id, record_uuid) do update
       set hash = excluded.hash, fingerprint = excluded.fingerprint, salt = excluded.salt
     returning record_uuid as uuid`,
    [
      domainId,
      ...keyLines(secrets),
      toLines(secrets.map(({ hash }) => hash)),
      toLines(secrets.map(({ fingerprint }) => fingerprint)),
      toLines(secrets.map(({ salt }) => salt)),
    ],
  )
  return saved.map(({ uuid }) => uuid)
}

/** Keeps the present secrets of these records, so that the apply can be rolled back. */
export async function keepSecrets(
  sql: Sql,
  domainId: number,
  applyUuid: string,
  keys: readonly RecordKey[],
): Promise<void> {
  if (keys.length === 0) return
  await sql.query(
    `insert into apply_secrets (domain_id, apply_uuid, type, key, hash, fingerprint, salt)
     select $1, $2::uuid, r.type, r.key, s.hash, s.fingerprint, s.salt
     from ${fromLines('named', ['type', 'key'], 3)}
     join records r on r.domain_id = $1 and r.type = named.type and r.key = named.key
     join record_secrets s on s.domain_id = $1 and s.record_uuid = r.uuid
     returning 1 as one`,
    [domainId, applyUuid, ...keyLines(keys)],
  )
}

/** The secrets that an apply replaced or deleted, by the previous keys of the records. */
export async function fetchKeptSecrets(sql: Sql, domainId: number, applyUuid: string): Promise<NewSecret[]> {
  return sql.rows(
    SECRET_WITH_HASH,
    `select type, key, hash, fingerprint, salt from apply_secrets where domain_id = $1 and apply_uuid = $2::uuid`,
    [domainId, applyUuid],
  )
}
