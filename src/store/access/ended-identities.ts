import { TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { endGiven } from './ended-artifacts.ts'
import { IDENTITY, KNOWN, type KnownIdentity } from './external-identities.ts'
import { fromLines } from '../lines.ts'
import { IDENTIFIED_RECORD, keyLines, type IdentifiedRecord } from '../model/records.ts'

// When the account of an identity ends, everything issued for its sign-ins ends too. The identity is locked first. A
// transaction that writes a token holds the identity until the token is written (see `holdIdentitiesOf`), so the search
// for tokens finds that token.

/** Locks the bound identities that have one of these addresses or are bound to one of these accounts. */
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

const ENDING = { accountUuid: UUID, what: TEXT }

/**
 * A part of an account's access that ends. `what` is the uuid of the method that issued it, `'all'`, or `'for good'`.
 * With `'for good'`, the account also loses its password links and the tokens that its providers have issued so far.
 */
export type Ending = RowOf<typeof ENDING>

/**
 * Unbinds identities. Returns the artifacts that must end with them: every session and token of their accounts by any
 * method of their provider. The caller ends these (`endAll`). Tokens that the provider issued before `unboundAt` do not
 * count as a new sign-in. If `unboundAt` is null, all tokens count.
 */
export async function loosenIdentities(
  sql: Sql,
  domainId: number,
  identities: readonly Pick<KnownIdentity, 'uuid' | 'issuer' | 'accountUuid'>[],
  unboundAt: Date | null = null,
): Promise<readonly Ending[]> {
  if (identities.length === 0) return []
  await sql.query(
    `update external_identities set account_uuid = null, unbound_at = coalesce($3::timestamptz, unbound_at)
     where domain_id = $1 and uuid = any ($2::uuid[])`,
    [domainId, identities.map(({ uuid }) => uuid), unboundAt?.toISOString() ?? null],
  )
  const bound = identities.filter(({ accountUuid }) => accountUuid !== null)
  return sql.rows(
    ENDING,
    `select distinct ended.account as "accountUuid", m.uuid::text as what
     from unnest($2::uuid[], $3::text[]) as ended (account, issuer)
     join authentication_methods m on m.domain_id = $1 and m.configuration ->> 'issuer' = ended.issuer`,
    [domainId, bound.map(({ accountUuid }) => accountUuid ?? ''), bound.map(({ issuer }) => issuer)],
  )
}

/** Ends every session and token that a method issued to an account. The caller holds the identity (`lockIdentity`). */
export async function revokeSignIns(
  sql: Sql,
  domainId: number,
  { accountUuid, methodUuid }: { readonly accountUuid: string; readonly methodUuid: string },
): Promise<void> {
  await endGiven(sql, domainId, `account_uuid = $2::uuid and method_uuid = $3::uuid`, accountUuid, methodUuid)
}

/** The accounts with these keys that are not in the model. */
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

/** The accounts among these that are not in the model, have no password and have no bound identity. */
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
 * Deletes accounts that nobody can use to sign in any more. Returns the artifacts that must end with them (see
 * `loosenIdentities`).
 */
export async function deletePlatformAccounts(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
): Promise<readonly Ending[]> {
  if (uuids.length === 0) return []
  await sql.query(`delete from platform_records where domain_id = $1 and uuid = any ($2::uuid[])`, [domainId, uuids])
  return endingsOf(uuids, 'for good')
}

export function endingsOf(accountUuids: readonly string[], what: string): readonly Ending[] {
  return accountUuids.map((accountUuid) => ({ accountUuid, what }))
}

/** The condition for tokens of other providers. */
const OF_PROVIDER = `kind = 'AccessToken' and grant_id is null and method_uuid is not null`

/**
 * The condition for artifacts that end. The accounts are in `$2`, and the kinds of artifacts that end for each account
 * in `$3`.
 */
const ENDS = `account_uuid = any ($2::uuid[]) and exists (
  select from unnest($2::uuid[], $3::text[]) as ended (account, what) where ended.account = account_uuid
    and (what = 'all' or what = method_uuid::text or what = 'for good' and not (${OF_PROVIDER})))`

/**
 * Ends everything in the list. It must come late in its transaction, because every sign-out of the domain waits for the
 * rest of it. The caller then raises the access version (`raiseAccessVersion`).
 */
export async function endAll(sql: Sql, domainId: number, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return
  const gone = new Set(endings.filter(({ what }) => what === 'for good').map(({ accountUuid }) => accountUuid))
  await endForGood(sql, domainId, [...gone])
  // After a new password, the tokens of providers are deleted and may be used again after a check. After `'for good'`
  // they may not. The tokens of an unbound identity may be used again: they count as tokens of a new person.
  const all = endings.filter(({ accountUuid, what }) => what !== 'all' || !gone.has(accountUuid))
  const accounts = all.map(({ accountUuid }) => accountUuid)
  await endGiven(
    sql,
    domainId,
    ENDS,
    accounts,
    all.map(({ what }) => what),
  )
}

/** Ends all else of accounts for good. Other providers' tokens stay as used up: deleted, they would be checked anew. */
async function endForGood(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  const ofAccounts = `where domain_id = $1 and account_uuid = any ($2::uuid[])`
  await sql.query(`update external_identities set unbound_at = now() ${ofAccounts}`, [domainId, uuids])
  await sql.query(`delete from password_links ${ofAccounts}`, [domainId, uuids])
  await sql.query(`update artifacts set consumed_at = now() ${ofAccounts} and ${OF_PROVIDER} and consumed_at is null`, [
    domainId,
    uuids,
  ])
}
