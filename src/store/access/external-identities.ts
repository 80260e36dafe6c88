import { JSONB_OBJECT, nullable, TEXT, TEXT_ARRAY, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { METHOD_COLUMNS, type StoredMethod } from './authentication-methods.ts'

/** The identity of a person at another provider. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
}

/** The facts that a sign-in reports about an identity. */
export interface Sighting extends ExternalIdentity {
  readonly methodUuid: string
  /** The address that the provider sent; null if it sent none. */
  readonly email: string | null
  readonly isVerified: boolean
  /** The normalised address, if the provider has verified it. */
  readonly address: string | null
  readonly at: Date
}

export const IDENTITY = {
  issuer: TEXT,
  subject: TEXT,
  uuid: UUID,
  /** Null if the identity is bound to no account. */
  accountUuid: nullable(UUID),
  /** The method of the identity's last sign-in. */
  methodUuid: nullable(UUID),
  address: nullable(TEXT),
  /** Tokens that the provider issued before this time are not accepted. */
  unboundAt: nullable(TIMESTAMPTZ),
  /** By the uuid of a method: the rule of its last sign-in in a browser (`ruleDigest`). */
  rules: JSONB_OBJECT,
}

export type KnownIdentity = RowOf<typeof IDENTITY>

const FITTING_IDENTITY = { ...IDENTITY, fits: TEXT_ARRAY }
type FittingIdentity = RowOf<typeof FITTING_IDENTITY>

export const KNOWN = `i.issuer, i.subject, i.uuid, i.account_uuid as "accountUuid", i.method_uuid as "methodUuid", i.address,
  i.unbound_at as "unboundAt", i.rules`

export async function fetchIdentity(
  sql: Sql,
  domainId: number,
  { issuer, subject }: ExternalIdentity,
): Promise<KnownIdentity | null> {
  const [row] = await sql.rows(
    IDENTITY,
    `select ${KNOWN} from external_identities i where domain_id = $1 and issuer = $2 and subject = $3`,
    [domainId, issuer, subject],
  )
  return row ?? null
}

/** The parameters $2 to $8 of a statement about a sighting; $1 is the domain. */
function valuesOf({ issuer, subject, methodUuid, email, isVerified, address, at }: Sighting) {
  return [issuer, subject, methodUuid, email, isVerified, address, at.toISOString()] as const
}

/** A sighting without an address keeps the previous address, because not every token contains one. */
const AS_TOLD = `method_uuid = $4::uuid, email = coalesce($5, i.email),
  email_verified = case when $5::text is null then i.email_verified else $6 end,
  last_seen_at = greatest($8::timestamptz, i.last_seen_at)`
const ADDRESS = `address = coalesce($7, i.address)`

/** Records a sign-in of a bound identity. Returns false if its binding has changed meanwhile. */
export async function noteSighting(
  sql: Sql,
  domainId: number,
  sighting: Sighting,
  { uuid, accountUuid }: Pick<KnownIdentity, 'uuid' | 'accountUuid'>,
): Promise<boolean> {
  const rows = await sql.query(
    `update external_identities i set ${AS_TOLD}, ${ADDRESS}, refusal = null, refusal_detail = null
     where domain_id = $1 and issuer = $2 and subject = $3 and uuid = $9::uuid and account_uuid = $10::uuid
     returning 1 as one`,
    [domainId, ...valuesOf(sighting), uuid, accountUuid],
  )
  return rows.length === 1
}

/** Binds an identity to an account and returns its uuid. One of another account becomes a new identity. */
export async function bindIdentity(
  sql: Sql,
  domainId: number,
  sighting: Sighting,
  { uuid, accountUuid }: { readonly uuid: string; readonly accountUuid: string },
): Promise<string> {
  const [row] = await sql.rows(
    { uuid: UUID },
    `insert into external_identities as i (domain_id, issuer, subject, method_uuid, email, email_verified, address,
       last_seen_at, created_at, uuid, account_uuid)
     values ($1, $2, $3, $4::uuid, $5, $6, $7, $8::timestamptz, $8::timestamptz, $9::uuid, $10::uuid)
     on conflict (domain_id, issuer, subject) do update set ${AS_TOLD}, ${ADDRESS}, refusal = null, refusal_detail = null,
       uuid = case when i.account_uuid = excluded.account_uuid then i.uuid else excluded.uuid end,
       account_uuid = excluded.account_uuid
     returning i.uuid`,
    [domainId, ...valuesOf(sighting), uuid, accountUuid],
  )
  if (row === undefined) throw new Error('an identity that was just bound is not there')
  return row.uuid
}

interface NotedRefusal {
  readonly reason: string
  /** The reason in words for administrators. */
  readonly detail: string
}

/** Records why an identity was rejected. A bound one stays bound and keeps its address, which was compared. */
export async function noteRefusal(
  sql: Sql,
  domainId: number,
  sighting: Sighting,
  { uuid, reason, detail }: NotedRefusal & { readonly uuid: string },
): Promise<void> {
  await sql.query(
    `insert into external_identities as i (domain_id, issuer, subject, method_uuid, email, email_verified, address,
       last_seen_at, created_at, uuid, refusal, refusal_detail)
     values ($1, $2, $3, $4::uuid, $5, $6, $7, $8::timestamptz, $8::timestamptz, $9::uuid, $10, $11)
     on conflict (domain_id, issuer, subject) do update set ${AS_TOLD},
       address = case when i.account_uuid is null then coalesce($7, i.address) else i.address end,
       refusal = excluded.refusal, refusal_detail = excluded.refusal_detail`,
    [domainId, ...valuesOf(sighting), uuid, reason, detail],
  )
}

/**
 * Keeps only the newest of the identities that were never bound, because strangers can create any number of them.
 * Identities that are signing in now are skipped, because their transactions delete old ones too.
 */
export async function forgetOldRefusals(sql: Sql, domainId: number, most: number): Promise<void> {
  await sql.query(
    `delete from external_identities where domain_id = $1 and ctid = any (array(
       select ctid from external_identities
       where domain_id = $1 and account_uuid is null and unbound_at is null and last_seen_at < (
         select last_seen_at from external_identities where domain_id = $1 and account_uuid is null
         order by last_seen_at desc offset $2 limit 1)
       for update skip locked))`,
    [domainId, most - 1],
  )
}

/** Like `deleteExpiredArtifacts`. An unbinding is remembered as long as a refusal, even if the last sign-in is older. */
export async function deleteOldRefusals(sql: Sql, domainId: number, before: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from external_identities where domain_id = $1 and ctid = any (array(
       select ctid from external_identities
       where domain_id = $1 and account_uuid is null and last_seen_at <= $2::timestamptz
         and (unbound_at is null or unbound_at <= $2::timestamptz) order by last_seen_at limit $3
       for update skip locked)) returning 1 as one`,
    [domainId, before.toISOString(), most],
  )
  return rows.length
}

export async function fetchIdentitiesOf(
  sql: Sql,
  domainId: number,
  accountUuids: readonly string[],
): Promise<KnownIdentity[]> {
  if (accountUuids.length === 0) return []
  return sql.rows(
    IDENTITY,
    `select ${KNOWN} from external_identities i
     where domain_id = $1 and account_uuid = any ($2::uuid[]) order by issuer, subject`,
    [domainId, accountUuids],
  )
}

/**
 * Locks the identities of an account until the transaction ends, and returns the grants that each matches. It locks in
 * the same order as `lockIdentities`.
 */
export async function holdIdentitiesOf(sql: Sql, domainId: number, accountUuid: string): Promise<FittingIdentity[]> {
  return sql.rows(
    FITTING_IDENTITY,
    `select ${KNOWN}, i.fits from external_identities i
     where domain_id = $1 and account_uuid = $2::uuid order by issuer, subject for share`,
    [domainId, accountUuid],
  )
}

/** The facts that a sign-in in a browser reports about an identity. */
export interface BrowserSignIn {
  readonly methodUuid: string
  /** The rule that admitted the identity (`ruleDigest`); null if none does any more. */
  readonly rule: string | null
  /** The identity grants that it matches. They replace all that begin with `beginning`; others are of other methods. */
  readonly fits: readonly string[]
  readonly beginning: string
}

/** Locks an identity by its uuid. Transactions that write its artifacts wait (`holdIdentitiesOf`). */
export async function lockIdentity(sql: Sql, domainId: number, uuid: string): Promise<KnownIdentity | null> {
  const [row] = await sql.rows(
    IDENTITY,
    `select ${KNOWN} from external_identities i where domain_id = $1 and uuid = $2::uuid for update`,
    [domainId, uuid],
  )
  return row ?? null
}

export async function saveBrowserSignIn(
  sql: Sql,
  domainId: number,
  uuid: string,
  { methodUuid, rule, fits, beginning }: BrowserSignIn,
): Promise<void> {
  await sql.query(
    `update external_identities
     set fits = array(select fit from unnest(fits) fit where not starts_with(fit, $4)) || $3::text[],
       rules = rules || jsonb_build_object($5::text, $6::text)
     where domain_id = $1 and uuid = $2::uuid`,
    [domainId, uuid, fits, beginning, methodUuid, rule],
  )
}

/**
 * The ACTIVATED methods by which identities of an account signed in last, and whose provider has verified this address.
 * A method that has rejected an identity does not count.
 */
export async function fetchMethodsTelling(
  sql: Sql,
  domainId: number,
  accountUuid: string,
  address: string,
): Promise<StoredMethod[]> {
  return sql.rows(
    METHOD_COLUMNS.shape,
    `select distinct ${METHOD_COLUMNS.list}
     from external_identities i join authentication_methods e on e.domain_id = i.domain_id and e.uuid = i.method_uuid
     where i.domain_id = $1 and i.account_uuid = $2::uuid and i.address = $3 and i.refusal is null
       and e.status = 'ACTIVATED'`,
    [domainId, accountUuid, address],
  )
}
