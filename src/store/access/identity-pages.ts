import { BOOL, jsonb, JSONB_OBJECT, nullable, TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import { hasShape, type RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { IDENTIFIED_RECORD } from '../model/records.ts'

const IDENTITY = {
  uuid: UUID,
  issuer: TEXT,
  subject: TEXT,
  /** Null where the identity is bound to no account. */
  accountUuid: nullable(UUID),
  methodUuid: nullable(UUID),
  email: nullable(TEXT),
  isVerified: BOOL,
  firstSeenAt: TIMESTAMPTZ,
  lastSeenAt: TIMESTAMPTZ,
  refusal: nullable(TEXT),
  refusalDetail: nullable(TEXT),
  /** Null where the identity is bound to no account, or to one that is gone. */
  account: nullable(jsonb(hasShape({ ...IDENTIFIED_RECORD, body: JSONB_OBJECT, isOfModel: BOOL }))),
}

/** An identity as administrators see it. */
export type StoredIdentity = RowOf<typeof IDENTITY>

/** A member is null where it does not matter. */
export interface IdentityFilter {
  readonly account: string | null
  readonly method: string | null
  readonly isRefused: boolean | null
}

const ACCOUNT = `coalesce(
  (select jsonb_build_object('uuid', r.uuid, 'type', r.type, 'key', r.key, 'body', r.body, 'isOfModel', true)
   from records r where r.domain_id = $1 and r.uuid = i.account_uuid),
  (select jsonb_build_object('uuid', p.uuid, 'type', p.type, 'key', p.key, 'body', p.body, 'isOfModel', false)
   from platform_records p where p.domain_id = $1 and p.uuid = i.account_uuid and not exists (
     select from records r where r.domain_id = $1 and r.type = p.type and r.key = p.key)))`

const COLUMNS = `i.uuid, i.issuer, i.subject, i.account_uuid as "accountUuid", i.method_uuid as "methodUuid", i.email, i.email_verified as "isVerified",
  i.created_at as "firstSeenAt", i.last_seen_at as "lastSeenAt", i.refusal, i.refusal_detail as "refusalDetail",
  ${ACCOUNT} as account`

const MATCHES = `i.domain_id = $1 and ($2::uuid is null or i.account_uuid = $2::uuid)
  and ($3::uuid is null or i.method_uuid = $3::uuid) and ($4::boolean is null or (i.refusal is not null) = $4)`

/** The identities from the one that was first seen last, after the one with the uuid `after`. */
export async function fetchIdentityPage(
  sql: Sql,
  domainId: number,
  { account, method, isRefused }: IdentityFilter,
  { first, after }: { readonly first: number; readonly after: string | null },
): Promise<StoredIdentity[]> {
  return sql.rows(
    IDENTITY,
    `select ${COLUMNS} from external_identities i
     where ${MATCHES} and ($5::uuid is null or (i.created_at, i.uuid) < (
       select created_at, uuid from external_identities where domain_id = $1 and uuid = $5::uuid))
     order by i.created_at desc, i.uuid desc limit $6`,
    [domainId, account, method, isRefused, after, first],
  )
}

/** Reads an identity that no other transaction changes until this one ends. */
export async function lockStoredIdentity(sql: Sql, domainId: number, uuid: string): Promise<StoredIdentity | null> {
  const [found] = await sql.rows(
    IDENTITY,
    `select ${COLUMNS} from external_identities i where i.domain_id = $1 and i.uuid = $2::uuid for update of i`,
    [domainId, uuid],
  )
  return found ?? null
}

/** Deletes an identity that was never bound. One that was unbound stays, so that this is remembered. */
export async function forgetIdentity(sql: Sql, domainId: number, uuid: string): Promise<void> {
  await sql.query(
    `delete from external_identities
     where domain_id = $1 and uuid = $2::uuid and account_uuid is null and unbound_at is null`,
    [domainId, uuid],
  )
}

export async function fetchStoredIdentitiesOf(
  sql: Sql,
  domainId: number,
  accountUuids: readonly string[],
): Promise<StoredIdentity[]> {
  if (accountUuids.length === 0) return []
  return sql.rows(
    IDENTITY,
    `select ${COLUMNS} from external_identities i
     where i.domain_id = $1 and i.account_uuid = any ($2::uuid[]) order by i.issuer, i.subject`,
    [domainId, accountUuids],
  )
}
