import type { Sql } from '../../db/sql.ts'

export interface StoredCredential {
  readonly accountUuid: string
  readonly systemUuid: string
  /** What the device signs in with. */
  readonly username: string
  readonly createdAt: Date
}

export async function bindCredential(
  sql: Sql,
  domainId: number,
  { accountUuid, systemUuid, createdAt }: Omit<StoredCredential, 'username'>,
): Promise<void> {
  await sql.query(
    `insert into system_credentials (domain_id, account_uuid, system_uuid, created_at)
     values ($1, $2::uuid, $3::uuid, $4::timestamptz)`,
    [domainId, accountUuid, systemUuid, createdAt.toISOString()],
  )
}

/** The one system whose data an account may touch; null where it is nobody's device. */
export async function systemOfAccount(sql: Sql, domainId: number, accountUuid: string): Promise<string | null> {
  const [row] = await sql.query<{ uuid: string }>(
    `select system_uuid as uuid from system_credentials where domain_id = $1 and account_uuid = $2::uuid`,
    [domainId, accountUuid],
  )
  return row?.uuid ?? null
}

/** A record of the model may have taken the place of the account. */
export async function fetchCredentials(sql: Sql, domainId: number, systemUuid: string): Promise<StoredCredential[]> {
  return sql.query<StoredCredential>(
    `select c.account_uuid as "accountUuid", c.system_uuid as "systemUuid", coalesce(p.key, r.key) as username,
       c.created_at as "createdAt"
     from system_credentials c
     left join platform_records p on p.domain_id = c.domain_id and p.uuid = c.account_uuid
     left join records r on r.domain_id = c.domain_id and r.uuid = c.account_uuid
     where c.domain_id = $1 and c.system_uuid = $2::uuid and (p.uuid is not null or r.uuid is not null)
     order by c.created_at, c.account_uuid`,
    [domainId, systemUuid],
  )
}

/** Deletes the account with its password; null where there is no such one that no document names. */
export async function deleteCredential(
  sql: Sql,
  domainId: number,
  accountUuid: string,
): Promise<StoredCredential | null> {
  const [gone] = await sql.query<StoredCredential>(
    `with account as (
       delete from platform_records p using system_credentials c
       where p.domain_id = $1 and p.uuid = $2::uuid and c.domain_id = $1 and c.account_uuid = p.uuid
       returning p.uuid, p.key
     )
     delete from system_credentials c using account where c.domain_id = $1 and c.account_uuid = account.uuid
     returning c.account_uuid as "accountUuid", c.system_uuid as "systemUuid", account.key as username,
       c.created_at as "createdAt"`,
    [domainId, accountUuid],
  )
  return gone ?? null
}
