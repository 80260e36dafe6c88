import { BYTEA, JSONB_OBJECT, nullable, TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { endArtifacts, endGiven } from './ended-artifacts.ts'

// Artifacts are issued to an account when it signs in: tokens, codes, sessions, consents. Only their owner has their
// values; the database stores the sha256 of a value.

const ARTIFACT = {
  /** AccessToken, RefreshToken, Session and others, as oidc-provider names them, or a kind of Holdfast. */
  kind: TEXT,
  hash: BYTEA,
  /** The payload contains nothing that lets a reader act as the owner. */
  payload: JSONB_OBJECT,
  grantId: nullable(TEXT),
  uid: nullable(TEXT),
  /** The uid of the session in which a code or token was issued. */
  sessionUid: nullable(TEXT),
  clientId: nullable(TEXT),
  accountUuid: nullable(UUID),
  methodUuid: nullable(UUID),
  scope: nullable(TEXT),
  issuedAt: TIMESTAMPTZ,
  consumedAt: nullable(TIMESTAMPTZ),
  expiresAt: TIMESTAMPTZ,
}

type StoredArtifact = RowOf<typeof ARTIFACT>

/** An artifact to be saved. `sessionUid` may be absent if there is no session. */
export type Artifact = Omit<StoredArtifact, 'sessionUid'> & Partial<Pick<StoredArtifact, 'sessionUid'>>

const COLUMNS = `kind, hash, payload, grant_id as "grantId", uid, session_uid as "sessionUid", client_id as "clientId", account_uuid as "accountUuid",
  method_uuid as "methodUuid", scope, issued_at as "issuedAt", consumed_at as "consumedAt", expires_at as "expiresAt"`

/** Creates or replaces an artifact. A consumed artifact stays consumed. */
export async function saveArtifact(sql: Sql, domainId: number, artifact: Artifact): Promise<void> {
  const { kind, hash, payload, grantId, uid, sessionUid = null, clientId, accountUuid, methodUuid, scope } = artifact
  await sql.query(
    `insert into artifacts (domain_id, kind, hash, payload, grant_id, uid, client_id, account_uuid, method_uuid, scope,
       issued_at, consumed_at, expires_at, session_uid)
     values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8::uuid, $9::uuid, $10, $11::timestamptz, $12::timestamptz,
       $13::timestamptz, $14)
     on conflict (domain_id, kind, hash) do update set
       payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, client_id = excluded.client_id,
       account_uuid = excluded.account_uuid, method_uuid = excluded.method_uuid, scope = excluded.scope,
       issued_at = excluded.issued_at, expires_at = excluded.expires_at, session_uid = excluded.session_uid,
       consumed_at = coalesce(artifacts.consumed_at, excluded.consumed_at)`,
    [
      domainId,
      kind,
      hash,
      JSON.stringify(payload),
      grantId,
      uid,
      clientId,
      accountUuid,
      methodUuid,
      scope,
      artifact.issuedAt.toISOString(),
      artifact.consumedAt?.toISOString() ?? null,
      artifact.expiresAt.toISOString(),
      sessionUid,
    ],
  )
}

/** Finds an artifact. The caller must check whether it is consumed or expired. */
export async function findArtifact(
  sql: Sql,
  domainId: number,
  kind: string,
  hash: Uint8Array,
): Promise<Artifact | null> {
  const [artifact] = await sql.rows(
    ARTIFACT,
    `select ${COLUMNS} from artifacts where domain_id = $1 and kind = $2 and hash = $3`,
    [domainId, kind, hash],
  )
  return artifact ?? null
}

/** Whether an access token was neither ended nor is expired. */
export async function isTokenInUse(sql: Sql, domainId: number, hash: Uint8Array, now: Date): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from artifacts where domain_id = $1 and kind = 'AccessToken' and hash = $2
       and consumed_at is null and expires_at > $3::timestamptz`,
    [domainId, hash, now.toISOString()],
  )
  return rows.length === 1
}

/** The repository of the job that got the access token; null if none was stored. */
export async function fetchTokenRepository(sql: Sql, domainId: number, hash: Uint8Array): Promise<unknown> {
  const [row] = await sql.rows(
    { repository: nullable(JSONB_OBJECT) },
    `select payload -> 'repository' as repository from artifacts where domain_id = $1 and kind = 'AccessToken' and hash = $2`,
    [domainId, hash],
  )
  return row?.repository ?? null
}

export async function findArtifactByUid(
  sql: Sql,
  domainId: number,
  kind: string,
  uid: string,
): Promise<Artifact | null> {
  const [artifact] = await sql.rows(
    ARTIFACT,
    `select ${COLUMNS} from artifacts where domain_id = $1 and uid = $3 and kind = $2 limit 1`,
    [domainId, kind, uid],
  )
  return artifact ?? null
}

/** Consumes an artifact. If several processes try at once, it returns true for exactly one. */
export async function consumeArtifact(
  sql: Sql,
  domainId: number,
  kind: string,
  hash: Uint8Array,
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `update artifacts set consumed_at = $4::timestamptz
     where domain_id = $1 and kind = $2 and hash = $3 and consumed_at is null returning 1 as one`,
    [domainId, kind, hash, now.toISOString()],
  )
  return rows.length === 1
}

/** Ends an artifact before it expires, so that it cannot be saved again. */
export async function deleteArtifact(sql: Sql, domainId: number, kind: string, hash: Uint8Array): Promise<void> {
  await endArtifacts(sql, domainId, `kind = $2 and hash = $3`, kind, hash)
}

/** Ends everything that was issued for one consent: codes, tokens and refresh tokens. */
export async function revokeGrant(sql: Sql, domainId: number, grantId: string): Promise<void> {
  await endArtifacts(sql, domainId, `grant_id = $2`, grantId)
}

/** Ends all sessions of an account and everything that was issued to it. */
export async function revokeAccount(sql: Sql, domainId: number, accountUuid: string): Promise<void> {
  await endGiven(sql, domainId, `account_uuid = $2::uuid`, accountUuid)
}

/** Deletes expired artifacts and returns their number: below `most` if none are left. Several processes may run it. */
export async function deleteExpiredArtifacts(sql: Sql, domainId: number, now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from artifacts where domain_id = $1 and ctid = any (array(
       select ctid from artifacts where domain_id = $1 and expires_at <= $2::timestamptz order by expires_at limit $3
       for update skip locked)) returning 1 as one`,
    [domainId, now.toISOString(), most],
  )
  return rows.length
}
