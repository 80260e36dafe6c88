import { TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'

const CREDENTIAL = {
  accountUuid: UUID,
  systemUuid: UUID,
  /** The name with which the device signs in. */
  username: TEXT,
  createdAt: TIMESTAMPTZ,
}

export type StoredCredential = RowOf<typeof CREDENTIAL>

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

/** The system that an account is the device of, and whose data alone it may touch; null for all other accounts. */
export async function systemOfAccount(sql: Sql, domainId: number, accountUuid: string): Promise<string | null> {
  const [row] = await sql.rows(
    { uuid: UUID },
    `select system_uuid as uuid from system_credentials where domain_id = $1 and account_uuid = $2::uuid`,
    [domainId, accountUuid],
  )
  return row?.uuid ?? null
}

/** The credentials of a system. A record of the model may have taken the place of an account. */
export async function fetchCredentials(sql: Sql, domainId: number, systemUuid: string): Promise<StoredCredential[]> {
  return sql.rows(
    CREDENTIAL,
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

/** Deletes the account of a device with its password; null where there is none, or where a document describes it. */
export async function deleteCredential(
  sql: Sql,
  domainId: number,
  accountUuid: string,
): Promise<StoredCredential | null> {
  const [gone] = await sql.rows(
    CREDENTIAL,
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
