import { jsonb, nullable, TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { isAuthority } from './grants.ts'

const LINK = {
  accountUuid: UUID,
  createdBy: TEXT,
  /** The facts behind the rights of the link's maker; null if these rights cannot be revoked. */
  maker: nullable(jsonb(isAuthority)),
  createdAt: TIMESTAMPTZ,
  expiresAt: TIMESTAMPTZ,
}

/** A link to set a password. */
export type PasswordLink = RowOf<typeof LINK>

const COLUMNS = `account_uuid as "accountUuid", created_by as "createdBy", maker, created_at as "createdAt", expires_at as "expiresAt"`

/** Saves a link, and deletes other links of the account. */
export async function savePasswordLink(
  sql: Sql,
  domainId: number,
  hash: Uint8Array,
  { accountUuid, createdBy, maker, createdAt, expiresAt }: PasswordLink,
): Promise<void> {
  await deletePasswordLinks(sql, domainId, accountUuid)
  await sql.query(
    `insert into password_links (domain_id, hash, account_uuid, created_by, maker, created_at, expires_at)
     values ($1, $2, $3::uuid, $4, $5::jsonb, $6::timestamptz, $7::timestamptz)`,
    [
      domainId,
      hash,
      accountUuid,
      createdBy,
      maker && JSON.stringify(maker),
      createdAt.toISOString(),
      expiresAt.toISOString(),
    ],
  )
}

/** The unexpired link with this hash. */
export async function findPasswordLink(
  sql: Sql,
  domainId: number,
  hash: Uint8Array,
  now: Date,
): Promise<PasswordLink | null> {
  const [link] = await sql.rows(
    LINK,
    `select ${COLUMNS} from password_links where domain_id = $1 and hash = $2 and expires_at > $3::timestamptz`,
    [domainId, hash, now.toISOString()],
  )
  return link ?? null
}

/** The unexpired links of an account or of all accounts, the newest first. */
export async function fetchPasswordLinks(
  sql: Sql,
  domainId: number,
  { account, now, most }: { readonly account: string | null; readonly now: Date; readonly most: number },
): Promise<PasswordLink[]> {
  return sql.rows(
    LINK,
    `select ${COLUMNS} from password_links
     where domain_id = $1 and expires_at > $2::timestamptz and ($3::uuid is null or account_uuid = $3::uuid)
     order by created_at desc, account_uuid limit $4`,
    [domainId, now.toISOString(), account, most],
  )
}

/** Deletes the links of an account. Returns false if there were none. */
export async function deletePasswordLinks(sql: Sql, domainId: number, accountUuid: string): Promise<boolean> {
  const rows = await sql.query(
    `delete from password_links where domain_id = $1 and account_uuid = $2::uuid returning 1 as one`,
    [domainId, accountUuid],
  )
  return rows.length > 0
}

/** Like `deleteExpiredArtifacts`. */
export async function deleteExpiredPasswordLinks(sql: Sql, domainId: number, now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from password_links where domain_id = $1 and ctid = any (array(
       select ctid from password_links where domain_id = $1 and expires_at <= $2::timestamptz limit $3
       for update skip locked)) returning 1 as one`,
    [domainId, now.toISOString(), most],
  )
  return rows.length
}
