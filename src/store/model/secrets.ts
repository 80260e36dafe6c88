import type { Sql } from '../../db/sql.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { revokeAccounts } from '../access/artifacts.ts'
import { fromLines, toLines } from '../lines.ts'
import { keyLines } from './records.ts'

export interface StoredSecret extends RecordKey {
  readonly fingerprint: string
  readonly salt: string
}

/** What is needed to compare the secrets of some types, never the hashes. */
export async function fetchSecrets(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
): Promise<StoredSecret[]> {
  if (types.length === 0) return []
  return sql.query<StoredSecret>(
    `select r.type, r.key, s.fingerprint, s.salt
     from record_secrets s join records r on r.domain_id = s.domain_id and r.uuid = s.record_uuid
     where s.domain_id = $1 and r.type = any ($2)`,
    [domainId, types],
  )
}

export interface NewSecret extends StoredSecret {
  readonly hash: string
}

/** Whoever signed in with the secret before is out: what was given to these accounts ends. */
export async function saveSecrets(sql: Sql, domainId: number, secrets: readonly NewSecret[]): Promise<void> {
  if (secrets.length === 0) return
  const saved = await sql.query<{ uuid: string }>(
    `insert into record_secrets (domain_id, record_uuid, hash, fingerprint, salt)
     select $1, r.uuid, new.hash, new.fingerprint, new.salt
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
  const accounts = saved.map(({ uuid }) => uuid)
  await revokeAccounts(sql, domainId, accounts)
}

/** Keeps the secrets of these records as they are stored now, so that the apply can be rolled back. */
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
     join record_secrets s on s.domain_id = $1 and s.record_uuid = r.uuid`,
    [domainId, applyUuid, ...keyLines(keys)],
  )
}

/** The secrets that an apply replaced or deleted, by the keys that the records had before it. */
export async function fetchKeptSecrets(sql: Sql, domainId: number, applyUuid: string): Promise<NewSecret[]> {
  return sql.query<NewSecret>(
    `select type, key, hash, fingerprint, salt from apply_secrets where domain_id = $1 and apply_uuid = $2::uuid`,
    [domainId, applyUuid],
  )
}
