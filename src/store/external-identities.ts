import type { Sql } from '../db/sql.ts'

/** Who somebody is at another provider. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
}

/** The uuid of their account here. */
export async function fetchIdentity(
  sql: Sql,
  domainId: number,
  { issuer, subject }: ExternalIdentity,
): Promise<string | null> {
  const [row] = await sql.query<{ uuid: string }>(
    `select account_uuid as uuid from external_identities where domain_id = $1 and issuer = $2 and subject = $3`,
    [domainId, issuer, subject],
  )
  return row?.uuid ?? null
}

/** Binds it, also where it was bound to an account that is gone. */
export async function saveIdentity(
  sql: Sql,
  domainId: number,
  { issuer, subject }: ExternalIdentity,
  accountUuid: string,
  now: Date,
): Promise<void> {
  await sql.query(
    `insert into external_identities (domain_id, issuer, subject, account_uuid, created_at)
     values ($1, $2, $3, $4::uuid, $5::timestamptz)
     on conflict (domain_id, issuer, subject) do update
       set account_uuid = excluded.account_uuid, created_at = excluded.created_at`,
    [domainId, issuer, subject, accountUuid, now.toISOString()],
  )
}

export async function fetchIdentitiesOf(
  sql: Sql,
  domainId: number,
  accountUuids: readonly string[],
): Promise<(ExternalIdentity & { readonly accountUuid: string })[]> {
  if (accountUuids.length === 0) return []
  return sql.query(
    `select issuer, subject, account_uuid as "accountUuid" from external_identities
     where domain_id = $1 and account_uuid = any ($2::uuid[]) order by issuer, subject`,
    [domainId, accountUuids],
  )
}
