import type { Sql } from '../../db/sql.ts'
import type { JsonObject } from '../../lib/json.ts'

export interface StoredKey {
  readonly kid: string
  readonly algorithm: string
  readonly publicJwk: JsonObject
  /** Sealed. */
  readonly privateJwk: Uint8Array
  readonly signsFrom: Date
  readonly signsUntil: Date
  readonly publishedUntil: Date
}

/** The newest first. */
export async function fetchKeys(sql: Sql, domainId: number, now: Date): Promise<StoredKey[]> {
  return sql.query<StoredKey>(
    `select kid, algorithm, public_jwk as "publicJwk", private_jwk as "privateJwk", signs_from as "signsFrom",
       signs_until as "signsUntil", published_until as "publishedUntil"
     from signing_keys where domain_id = $1 and published_until > $2::timestamptz order by signs_from desc, kid`,
    [domainId, now.toISOString()],
  )
}

/** Until the end of the transaction nobody else, in any process, makes or retires keys of the domain. */
export async function lockKeys(sql: Sql, domainId: number): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('signing keys', $1))::text`, [domainId])
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

/** Another key takes over; this one, which has signed, stays published for those who hold what it signed. */
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

/** Those that nobody needs any more, and those that have not signed yet where `unused` says so. */
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
