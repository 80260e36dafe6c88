import type { Sql } from '../db/sql.ts'
import type { RecordKey } from '../records/record-type.ts'
import type { KnownIdentity } from './external-identities.ts'
import { fromLines } from './lines.ts'
import { keyLines } from './records.ts'

// When what an identity stands for ends, so does all that came in by it. The identity goes first: whoever writes a token
// holds it until that is written (see `holdIdentitiesOf`), and so the token is there when tokens are looked for.

const KNOWN = `i.issuer, i.subject, i.uuid, i.account_uuid as "accountUuid", i.method_uuid as "methodUuid", i.address`

/** Of those that are bound, the ones that have told one of these addresses or are bound to one of these accounts. */
export async function lockIdentities(
  sql: Sql,
  domainId: number,
  addresses: readonly string[],
  accountUuids: readonly string[],
): Promise<KnownIdentity[]> {
  return sql.query<KnownIdentity>(
    `select ${KNOWN} from external_identities i
     where domain_id = $1 and account_uuid is not null and (address = any ($2) or account_uuid = any ($3::uuid[]))
     order by issuer, subject for update`,
    [domainId, addresses, accountUuids],
  )
}

/** Forgets them, with every session and token of their account by any method of their provider. */
export async function deleteIdentities(
  sql: Sql,
  domainId: number,
  identities: readonly Pick<KnownIdentity, 'uuid' | 'issuer' | 'accountUuid'>[],
): Promise<void> {
  if (identities.length === 0) return
  await sql.query(`delete from external_identities where domain_id = $1 and uuid = any ($2::uuid[])`, [
    domainId,
    identities.map(({ uuid }) => uuid),
  ])
  await revokeIdentities(sql, domainId, identities)
}

/** From now on it is bound to nothing, with the same consequences. */
export async function loosenIdentity(
  sql: Sql,
  domainId: number,
  identity: Pick<KnownIdentity, 'uuid' | 'issuer' | 'accountUuid'>,
): Promise<void> {
  await sql.query(
    `update external_identities set account_uuid = null where domain_id = $1 and uuid = $2::uuid and account_uuid = $3::uuid`,
    [domainId, identity.uuid, identity.accountUuid],
  )
  await revokeIdentities(sql, domainId, [identity])
}

/** Ends every session and token of their accounts by any method of their provider. */
export async function revokeIdentities(
  sql: Sql,
  domainId: number,
  identities: readonly Pick<KnownIdentity, 'issuer' | 'accountUuid'>[],
): Promise<void> {
  const bound = identities.filter(({ accountUuid }) => accountUuid !== null)
  await sql.query(
    `delete from artifacts a
     using unnest($2::uuid[], $3::text[]) as ended (account_uuid, issuer), authentication_methods m
     where a.domain_id = $1 and m.domain_id = $1 and a.account_uuid = ended.account_uuid and m.uuid = a.method_uuid
       and m.configuration ->> 'issuer' = ended.issuer`,
    [domainId, bound.map(({ accountUuid }) => accountUuid ?? ''), bound.map(({ issuer }) => issuer)],
  )
}

/** The accounts that have these keys and are not of the model. */
export async function fetchPlatformKeys(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<(RecordKey & { readonly uuid: string })[]> {
  return sql.query(
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
): Promise<(RecordKey & { readonly uuid: string })[]> {
  return sql.query(
    `select r.type, r.key, r.uuid from records r join ${fromLines('named', ['type', 'key'], 2)}
       on r.type = named.type and r.key = named.key where r.domain_id = $1`,
    [domainId, ...keyLines(keys)],
  )
}

/** Of these accounts those that are not of the model, have no password, and that no identity is bound to any more. */
export async function fetchAbandoned(sql: Sql, domainId: number, uuids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ uuid: string }>(
    `select p.uuid from platform_records p where p.domain_id = $1 and p.uuid = any ($2::uuid[]) and p.hash is null
       and not exists (select from external_identities i where i.domain_id = $1 and i.account_uuid = p.uuid)`,
    [domainId, uuids],
  )
  return rows.map(({ uuid }) => uuid)
}

/** Accounts that nobody has any more, with all that they were given. */
export async function deletePlatformAccounts(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  await sql.query(`delete from platform_records where domain_id = $1 and uuid = any ($2::uuid[])`, [domainId, uuids])
  await sql.query(`delete from password_links where domain_id = $1 and account_uuid = any ($2::uuid[])`, [
    domainId,
    uuids,
  ])
  // Deleting a grant waits for those who hold it while they write a token, which the second statement then sees.
  const given = `delete from artifacts where domain_id = $1 and account_uuid = any ($2::uuid[])`
  await sql.query(`${given} and kind = 'Grant'`, [domainId, uuids])
  await sql.query(given, [domainId, uuids])
}

/** Of these accounts, ends what they have by delegated methods other than those that are named beside them. */
export async function revokeOtherMethods(
  sql: Sql,
  domainId: number,
  kept: readonly { readonly accountUuid: string; readonly methodUuid: string }[],
): Promise<void> {
  await sql.query(
    `delete from artifacts a using authentication_methods m
     where a.domain_id = $1 and a.account_uuid = any ($2::uuid[]) and m.domain_id = $1 and m.uuid = a.method_uuid
       and m.kind = 'openid-delegated' and not exists (
         select from unnest($2::uuid[], $3::uuid[]) as kept (account_uuid, method_uuid)
         where kept.account_uuid = a.account_uuid and kept.method_uuid = a.method_uuid)`,
    [domainId, kept.map(({ accountUuid }) => accountUuid), kept.map(({ methodUuid }) => methodUuid)],
  )
}
