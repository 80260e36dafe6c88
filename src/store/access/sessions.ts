import { BOOL, JSONB_OBJECT, nullable, TEXT, TEXT_ARRAY, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { hashOf } from './ended-artifacts.ts'

const SESSION = {
  /** The name of the session in its tokens. */
  uid: TEXT,
  payload: JSONB_OBJECT,
  methodUuid: nullable(UUID),
  methodName: nullable(TEXT),
  issuedAt: TIMESTAMPTZ,
}

export type StoredSession = RowOf<typeof SESSION>

/** The unexpired sessions of an account, the most recently used first. */
export async function fetchSessions(
  sql: Sql,
  domainId: number,
  accountUuid: string,
  now: Date,
): Promise<StoredSession[]> {
  return sql.rows(
    SESSION,
    `select a.uid, a.payload, a.method_uuid as "methodUuid", m.name as "methodName", a.issued_at as "issuedAt"
     from artifacts a left join authentication_methods m on m.domain_id = a.domain_id and m.uuid = a.method_uuid
     where a.domain_id = $1 and a.account_uuid = $2::uuid and a.kind = 'Session' and a.expires_at > $3::timestamptz
       and a.uid is not null
     order by a.payload -> 'origin' ->> 'usedAt' desc nulls last, a.hash`,
    [domainId, accountUuid, now.toISOString()],
  )
}

const CONSENT = {
  clientId: TEXT,
  /** The scopes of each grant as a space-separated list. */
  scopes: TEXT_ARRAY,
  since: TIMESTAMPTZ,
  /** Whether the application holds a refresh token. */
  isOffline: BOOL,
}

export type StoredConsent = RowOf<typeof CONSENT>

/**
 * The consents of an account, by application. Its tokens are hashed once: if they were joined and there were no statistics,
 * each grant would read them all.
 */
export async function fetchConsents(
  sql: Sql,
  domainId: number,
  accountUuid: string,
  now: Date,
): Promise<StoredConsent[]> {
  return sql.rows(
    CONSENT,
    `select g.client_id as "clientId", array_agg(distinct coalesce(g.payload -> 'openid' ->> 'scope', '')) as scopes,
       min(g.issued_at) as since, coalesce(bool_or(g.hash in (
         select ${hashOf('grant_id')} from artifacts
         where domain_id = $1 and account_uuid = $2::uuid and kind = 'RefreshToken' and consumed_at is null
           and expires_at > $3::timestamptz)), false) as "isOffline"
     from artifacts g
     where g.domain_id = $1 and g.account_uuid = $2::uuid and g.kind = 'Grant' and g.expires_at > $3::timestamptz
       and g.client_id is not null
     group by g.client_id order by g.client_id`,
    [domainId, accountUuid, now.toISOString()],
  )
}

/** The session in which a token was issued; null if there is none. */
export async function fetchSessionOfToken(sql: Sql, domainId: number, hash: Uint8Array): Promise<string | null> {
  const [token] = await sql.rows(
    { uid: nullable(TEXT) },
    `select session_uid as uid from artifacts where domain_id = $1 and kind = 'AccessToken' and hash = $2`,
    [domainId, hash],
  )
  return token?.uid ?? null
}

interface KeptSession {
  /** The hash of an access token of the session. */
  readonly tokenHash: Uint8Array
  readonly now: Date
  readonly idleSeconds: number
  /** The longest lifetime of the session, from the sign-in. */
  readonly secondsInAll: number
}

/**
 * Extends a session that a token has just used. Returns the new end; null if the token belongs to no stored session.
 * Another transaction extends the token (`keepToken`), because others lock both in the opposite order.
 */
export async function keepSession(sql: Sql, domainId: number, kept: KeptSession): Promise<Date | null> {
  const { tokenHash, now, idleSeconds, secondsInAll } = kept
  const [session] = await sql.rows(
    { expiresAt: TIMESTAMPTZ },
    `update artifacts set
       expires_at = greatest(expires_at, least($3::timestamptz + $4 * interval '1 second',
         to_timestamp((payload ->> 'loginTs')::bigint + $5))),
       payload = jsonb_set(payload, '{origin,usedAt}', to_jsonb($6::text))
     where domain_id = $1 and kind = 'Session' and expires_at > $3::timestamptz and uid = (
       select session_uid from artifacts where domain_id = $1 and kind = 'AccessToken' and hash = $2)
     returning expires_at as "expiresAt"`,
    [domainId, tokenHash, now.toISOString(), idleSeconds, secondsInAll, now.toISOString()],
  )
  return session?.expiresAt ?? null
}

/** Extends an access token to this time. A token that has ended meanwhile stays ended. */
export async function keepToken(sql: Sql, domainId: number, hash: Uint8Array, expiresAt: Date): Promise<void> {
  await sql.query(
    `update artifacts set expires_at = $3::timestamptz where domain_id = $1 and kind = 'AccessToken' and hash = $2
     returning 1 as one`,
    [domainId, hash, expiresAt.toISOString()],
  )
}

// A grant of OAuth is the consent of an account to an application. Every code and token of the application depends on
// one.

const KIND = 'Grant'

/**
 * Locks a grant against revocation until the transaction ends. Returns false if it does not exist. Every transaction
 * that writes a token locks the grant first, so that no token outlives its grant.
 */
export async function holdGrant(sql: Sql, domainId: number, hash: Uint8Array): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from artifacts where domain_id = $1 and kind = $2 and hash = $3 for key share`,
    [domainId, KIND, hash],
  )
  return rows.length === 1
}
