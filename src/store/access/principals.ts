import { BOOL, JSONB_OBJECT, nullable, TEXT } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { lockOfDomain } from '../domains.ts'
import { IDENTIFIED_RECORD } from '../model/records.ts'

const PRINCIPAL = {
  ...IDENTIFIED_RECORD,
  body: JSONB_OBJECT,
  /** The hash of the account's password; null if it has none. */
  hash: nullable(TEXT),
  isOfModel: BOOL,
}

/** A record that can sign in: of the model, or of the platform. */
export type Principal = RowOf<typeof PRINCIPAL>

/** A record of the model replaces a platform record with the same type and key. */
const IS_SHADOWED = `exists (
  select from records r where r.domain_id = p.domain_id and r.type = p.type and r.key = p.key)`

const FROM_MODEL = `select r.uuid, r.type, r.key, r.body, s.hash, true as "isOfModel"
  from records r left join record_secrets s on s.domain_id = r.domain_id and s.record_uuid = r.uuid`

const FROM_PLATFORM = `select p.uuid, p.type, p.key, p.body, p.hash, false as "isOfModel" from platform_records p`

/** The record with this uuid that can sign in, in any status. */
export async function findPrincipal(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
  uuid: string,
): Promise<Principal | null> {
  const [found] = await fetchPrincipals(sql, domainId, types, [uuid])
  return found ?? null
}

export async function fetchPrincipals(
  sql: Sql,
  domainId: number,
  types: readonly RecordTypeName[],
  uuids: readonly string[],
): Promise<Principal[]> {
  return sql.rows(
    PRINCIPAL,
    `${FROM_MODEL} where r.domain_id = $1 and r.uuid = any ($2::uuid[]) and r.type = any ($3)
     union all
     ${FROM_PLATFORM} where p.domain_id = $1 and p.uuid = any ($2::uuid[]) and p.type = any ($3) and not ${IS_SHADOWED}`,
    [domainId, uuids, types],
  )
}

export async function findPrincipalByKey(
  sql: Sql,
  domainId: number,
  { type, key }: RecordKey,
): Promise<Principal | null> {
  const [found] = await sql.rows(
    PRINCIPAL,
    `${FROM_MODEL} where r.domain_id = $1 and r.type = $2 and r.key = $3
     union all
     ${FROM_PLATFORM} where p.domain_id = $1 and p.type = $2 and p.key = $3 and not ${IS_SHADOWED}`,
    [domainId, type, key],
  )
  return found ?? null
}

/**
 * Stores the hash of a password. Returns false if the account does not exist, or if the stored hash is no longer
 * `inPlaceOf`. Documents have no passwords for people, so no fingerprint is stored. The fingerprint of a machine user
 * stays.
 */
export async function saveHash(
  sql: Sql,
  domainId: number,
  { uuid, isOfModel }: Pick<Principal, 'uuid' | 'isOfModel'>,
  hash: string,
  inPlaceOf: string | null = null,
): Promise<boolean> {
  const rows = await sql.query(
    isOfModel
      ? `insert into record_secrets as s (domain_id, record_uuid, hash, fingerprint, salt)
         select r.domain_id, r.uuid, $3, '', '' from records r where r.domain_id = $1 and r.uuid = $2::uuid
         on conflict (domain_id, record_uuid) do update set hash = excluded.hash
           where $4::text is null or s.hash = $4 returning 1 as one`
      : `update platform_records set hash = $3
         where domain_id = $1 and uuid = $2::uuid and ($4::text is null or hash = $4) returning 1 as one`,
    [domainId, uuid, hash, inPlaceOf],
  )
  return rows.length === 1
}

const ACCOUNT = `'account ' || uuid`
const ACCOUNT_LOCK = `hashtextextended(${ACCOUNT}, $1)`

/** The maximum number of single locks. PostgreSQL has only some thousand. */
const MOST_LOCKED = 500

const bodyIn = (table: string): string => `select body from ${table} where domain_id = $1 and uuid = $2::uuid`

/**
 * Locks an account against a lockout until the transaction ends, and returns its body; null if the account does not
 * exist or is being locked out. A lockout waits for this lock (`lockAccounts`), and then ends what was written
 * meanwhile. It is an advisory lock and not a row lock, so that sign-ins do not wait for an apply. It must come before
 * all other locks that depend on the account.
 */
export async function holdAccount(sql: Sql, domainId: number, uuid: string): Promise<RecordBody | null> {
  const [lock] = await sql.rows(
    { held: BOOL },
    `select pg_try_advisory_xact_lock_shared(${ACCOUNT_LOCK}) as held
     from domain_state, (values ($2::text)) as named (uuid) where domain_id = $1`,
    [domainId, uuid],
  )
  if (lock?.held !== true) return null
  const [found] = await sql.rows(
    { body: JSONB_OBJECT },
    `${bodyIn('records')} union all ${bodyIn('platform_records')}`,
    [domainId, uuid],
  )
  return found?.body ?? null
}

/**
 * Waits for the transactions that write artifacts of these accounts. It must come before the accounts are changed, and
 * before any lock that those transactions also take. The order is fixed. If there are more accounts than locks, none is
 * locked, because one lock for all accounts would block every sign-in. Then a token may be left that was written at the
 * moment of the commit. It is useless until its account is ACTIVATED again.
 */
export async function lockAccounts(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0 || uuids.length > MOST_LOCKED) return
  const ordered = `select uuid from unnest($2::text[]) as named (uuid) order by ${ACCOUNT_LOCK} offset 0`
  await sql.query(lockOfDomain(ACCOUNT, 'alone', `(${ordered}) as ordered`), [domainId, uuids])
}

/**
 * Locks the password of an account until the transaction ends, and returns its hash; null if there is none. A record of
 * the model and one of the platform never have the same uuid.
 */
export async function holdHash(sql: Sql, domainId: number, uuid: string): Promise<string | null> {
  const held = `where domain_id = $1 and`
  const [ofModel] = await sql.rows(
    { hash: TEXT },
    `select hash from record_secrets ${held} record_uuid = $2::uuid for share`,
    [domainId, uuid],
  )
  if (ofModel !== undefined) return ofModel.hash
  const [ofPlatform] = await sql.rows(
    { hash: nullable(TEXT) },
    `select hash from platform_records ${held} uuid = $2::uuid for share`,
    [domainId, uuid],
  )
  return ofPlatform?.hash ?? null
}
