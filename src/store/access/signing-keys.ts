import { BYTEA, JSONB_OBJECT, TEXT, TIMESTAMPTZ } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { lockOfDomain } from '../domains.ts'

const SIGNING_KEY = {
  kid: TEXT,
  algorithm: TEXT,
  publicJwk: JSONB_OBJECT,
  /** The private key, encrypted with the key of the platform. */
  privateJwk: BYTEA,
  signsFrom: TIMESTAMPTZ,
  signsUntil: TIMESTAMPTZ,
  publishedUntil: TIMESTAMPTZ,
}

export type StoredKey = RowOf<typeof SIGNING_KEY>

/** The published keys, the newest first. */
export async function fetchKeys(sql: Sql, domainId: number, now: Date): Promise<StoredKey[]> {
  return sql.rows(
    SIGNING_KEY,
    `select kid, algorithm, public_jwk as "publicJwk", private_jwk as "privateJwk", signs_from as "signsFrom",
       signs_until as "signsUntil", published_until as "publishedUntil"
     from signing_keys where domain_id = $1 and published_until > $2::timestamptz order by signs_from desc, kid`,
    [domainId, now.toISOString()],
  )
}

/** Locks the keys of the domain, so that no other transaction creates or retires keys until this one ends. */
export async function lockKeys(sql: Sql, domainId: number): Promise<void> {
  await sql.query(lockOfDomain("'signing keys'"), [domainId])
}

export async function insertKey(sql: Sql, domainId: number, key: StoredKey, now: Date): Promise<void> {
  await sql.query(
    `insert into signing_keys (domain_id, kid, algorithm, public_jwk, private_jwk, created_at, signs_from, signs_until,
       published_until)
     values ($1, $2, $3, $4::jsonb, $5, $6::timestamptz, $7::timestamptz, $8::timestamptz, $9::timestamptz)`,
    [
      domainId,
      key.kid,
      key.algorithm,
      JSON.stringify(key.publicJwk),
      key.privateJwk,
      now.toISOString(),
      key.signsFrom.toISOString(),
      key.signsUntil.toISOString(),
      key.publishedUntil.toISOString(),
    ],
  )
}

/** Retires a key that another one replaces. It stays published while tokens that it signed may be checked. */
export async function retireKey(
  sql: Sql,
  domainId: number,
  kid: string,
  { now, signsUntil, publishedUntil }: { readonly now: Date } & Pick<StoredKey, 'signsUntil' | 'publishedUntil'>,
): Promise<void> {
  await sql.query(
    `update signing_keys set signs_from = least(signs_from, $3::timestamptz), signs_until = $4::timestamptz,
       published_until = $5::timestamptz
     where domain_id = $1 and kid = $2`,
    [domainId, kid, now.toISOString(), signsUntil.toISOString(), publishedUntil.toISOString()],
  )
}

/** Deletes the keys that are no longer published and, if `unused`, those that have not signed yet. */
export async function deleteKeys(
  sql: Sql,
  domainId: number,
  now: Date,
  { unused }: { unused: boolean },
): Promise<void> {
  await sql.query(
    `delete from signing_keys where domain_id = $1
     and (published_until <= $2::timestamptz or ($3 and signs_from > $2::timestamptz))`,
    [domainId, now.toISOString(), unused],
  )
}
