import { UUID } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { revokeForGood } from './artifacts.ts'
import { endArtifacts } from './ended-artifacts.ts'
import { IDENTITY, KNOWN, type KnownIdentity } from './external-identities.ts'
import { fromLines } from '../lines.ts'
import { IDENTIFIED_RECORD, keyLines, type IdentifiedRecord } from '../model/records.ts'

// When the account of an identity ends, so does all that was given for its sign-ins. The identity goes first: a
// transaction that writes a token holds it until the token is written (see `holdIdentitiesOf`), so the token is there
// when tokens are looked for.

/** The bound identities that have told one of these addresses or are bound to one of these accounts. */
export async function lockIdentities(
  sql: Sql,
  domainId: number,
  addresses: readonly string[],
  accountUuids: readonly string[],
): Promise<KnownIdentity[]> {
  return sql.rows(
    IDENTITY,
    `select ${KNOWN} from external_identities i
     where domain_id = $1 and account_uuid is not null and (address = any ($2) or account_uuid = any ($3::uuid[]))
     order by issuer, subject for update`,
    [domainId, addresses, accountUuids],
  )
}

/**
 * Unbinds identities, and ends every session and token of their accounts by any method of their provider. What their
 * provider issued before `unboundAt` then counts as no new sign-in either; null: all counts.
 */
export async function loosenIdentities(
  sql: Sql,
  domainId: number,
  identities: readonly Pick<KnownIdentity, 'uuid' | 'issuer' | 'accountUuid'>[],
  unboundAt: Date | null = null,
): Promise<void> {
  if (identities.length === 0) return
  await sql.query(
    `update external_identities set account_uuid = null, unbound_at = coalesce($3::timestamptz, unbound_at)
     where domain_id = $1 and uuid = any ($2::uuid[])`,
    [domainId, identities.map(({ uuid }) => uuid), unboundAt?.toISOString() ?? null],
  )
  await revokeIdentities(sql, domainId, identities)
}

/** Ends every session and token of the accounts of these identities by any method of their provider. */
export async function revokeIdentities(
  sql: Sql,
  domainId: number,
  identities: readonly Pick<KnownIdentity, 'issuer' | 'accountUuid'>[],
): Promise<void> {
  const bound = identities.filter(({ accountUuid }) => accountUuid !== null)
  await endArtifacts(
    sql,
    domainId,
    `account_uuid = any ($2::uuid[]) and exists (
       select from unnest($2::uuid[], $3::text[]) as ended (account, issuer)
       join authentication_methods m on m.domain_id = $1 and m.configuration ->> 'issuer' = ended.issuer
       where ended.account = account_uuid and m.uuid = method_uuid)`,
    bound.map(({ accountUuid }) => accountUuid ?? ''),
    bound.map(({ issuer }) => issuer),
  )
}

/** Ends every session and token that an account got by a method. The caller holds the identity (`lockIdentity`). */
export async function revokeSignIns(
  sql: Sql,
  domainId: number,
  { accountUuid, methodUuid }: { readonly accountUuid: string; readonly methodUuid: string },
): Promise<void> {
  await endArtifacts(sql, domainId, `account_uuid = $2::uuid and method_uuid = $3::uuid`, accountUuid, methodUuid)
}

/** The accounts that have these keys and are not of the model. */
export async function fetchPlatformKeys(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<IdentifiedRecord[]> {
  return sql.rows(
    IDENTIFIED_RECORD,
    `select p.type, p.key, p.uuid from platform_records p join ${fromLines('named', ['type', 'key'], 2)}
       on p.type = named.type and p.key = named.key where p.domain_id = $1`,
    [domainId, ...keyLines(keys)],
  )
}

/** The records of the model with these keys. */
export async function fetchModelKeys(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<IdentifiedRecord[]> {
  return sql.rows(
    IDENTIFIED_RECORD,
    `select r.type, r.key, r.uuid from records r join ${fromLines('named', ['type', 'key'], 2)}
       on r.type = named.type and r.key = named.key where r.domain_id = $1`,
    [domainId, ...keyLines(keys)],
  )
}

/** The accounts among these that are not of the model, have no password, and to which no identity is bound any more. */
export async function fetchAbandoned(sql: Sql, domainId: number, uuids: readonly string[]): Promise<string[]> {
  const rows = await sql.rows(
    { uuid: UUID },
    `select p.uuid from platform_records p where p.domain_id = $1 and p.uuid = any ($2::uuid[]) and p.hash is null
       and not exists (select from external_identities i where i.domain_id = $1 and i.account_uuid = p.uuid)`,
    [domainId, uuids],
  )
  return rows.map(({ uuid }) => uuid)
}

/**
 * Deletes accounts that nobody can sign in to any more, with all that they were given. The caller raises the access
 * version afterwards (`raiseAccessVersion`).
 */
export async function deletePlatformAccounts(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  await sql.query(`delete from platform_records where domain_id = $1 and uuid = any ($2::uuid[])`, [domainId, uuids])
  await endAccounts(sql, domainId, uuids)
}

/**
 * Ends all that accounts were given, for good: sessions, tokens, links for passwords, and what their providers have
 * issued until now. The caller raises the access version afterwards (`raiseAccessVersion`).
 */
export async function endAccounts(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  const ofAccounts = `where domain_id = $1 and account_uuid = any ($2::uuid[])`
  await sql.query(`update external_identities set unbound_at = now() ${ofAccounts}`, [domainId, uuids])
  await sql.query(`delete from password_links ${ofAccounts}`, [domainId, uuids])
  await revokeForGood(sql, domainId, uuids)
}

/** Ends what these accounts were given by delegated methods, except the method that is named beside each. */
export async function revokeOtherMethods(
  sql: Sql,
  domainId: number,
  kept: readonly { readonly accountUuid: string; readonly methodUuid: string }[],
): Promise<void> {
  await endArtifacts(
    sql,
    domainId,
    `account_uuid = any ($2::uuid[]) and exists (
       select from authentication_methods m
       where m.domain_id = $1 and m.uuid = method_uuid and m.kind = 'openid-delegated')
     and not exists (
       select from unnest($2::uuid[], $3::uuid[]) as kept (account, method)
       where kept.account = account_uuid and kept.method = method_uuid)`,
    kept.map(({ accountUuid }) => accountUuid),
    kept.map(({ methodUuid }) => methodUuid),
  )
}
