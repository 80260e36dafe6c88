import { UUID } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'

export interface PasswordLink {
  readonly hash: Uint8Array
  readonly accountUuid: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Saves a link in place of those that the account has already. */
export async function savePasswordLink(
  sql: Sql,
  domainId: number,
  { hash, accountUuid, createdBy, createdAt, expiresAt }: PasswordLink,
): Promise<void> {
  await deletePasswordLinks(sql, domainId, accountUuid)
  await sql.query(
    `insert into password_links (domain_id, hash, account_uuid, created_by, created_at, expires_at)
     values ($1, $2, $3::uuid, $4, $5::timestamptz, $6::timestamptz)`,
    [domainId, hash, accountUuid, createdBy, createdAt.toISOString(), expiresAt.toISOString()],
  )
}

/** The account whose password a link may set. */
export async function findPasswordLink(
  sql: Sql,
  domainId: number,
  hash: Uint8Array,
  now: Date,
): Promise<string | null> {
  const [link] = await sql.rows(
    { accountUuid: UUID },
    `select account_uuid as "accountUuid" from password_links
     where domain_id = $1 and hash = $2 and expires_at > $3::timestamptz`,
    [domainId, hash, now.toISOString()],
  )
  return link?.accountUuid ?? null
}

export async function deletePasswordLinks(sql: Sql, domainId: number, accountUuid: string): Promise<void> {
  await sql.query(`delete from password_links where domain_id = $1 and account_uuid = $2::uuid`, [
    domainId,
    accountUuid,
  ])
}

/** As `deleteExpiredArtifacts`. */
export async function deleteExpiredPasswordLinks(sql: Sql, domainId: number, now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from password_links where domain_id = $1 and ctid = any (array(
       select ctid from password_links where domain_id = $1 and expires_at <= $2::timestamptz limit $3
       for update skip locked)) returning 1 as one`,
    [domainId, now.toISOString(), most],
  )
  return rows.length
}
