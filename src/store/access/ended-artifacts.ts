import { TEXT } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { lockOfDomain, raisesForTokens } from '../domains.ts'
import { hidden } from '../narrowest.ts'

// Deleting an artifact does not end it: a request that read it before may save it again, and the upsert would create it
// anew. So a deleted artifact leaves a row in ended_artifacts, and every request checks for that row when it saves an
// artifact. Saving and ending never overlap: both lock first the session (`holdSession`, `lockSessions`), then the
// grant, then the row.

/** Rows are kept longer than any request lasts, by the clock of the database, which all processes share. */
const KEPT = `interval '1 day'`

/** The kind of the row for a session itself, independent of its present name in the browser. */
const SESSION_UID = 'SessionUid'

const SESSION = `'session ' || uid`
const ALL_SESSIONS = `'all sessions'`

/** PostgreSQL has only some thousand locks. To end more sessions than this, all sessions are locked together. */
const MOST_LOCKED = 500

/** SQL for the hash of a text, as `tokenHash` makes it. */
export const hashOf = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`

/**
 * Deletes the artifacts that match a condition, and remembers that they have ended. Access tokens are not remembered:
 * they are written once and depend on a grant, and a token of another provider may come again. But requests with a
 * cached token must look it up again.
 */
export async function endArtifacts(
  sql: Sql,
  domainId: number,
  condition: string,
  ...values: (string | Uint8Array | readonly string[])[]
): Promise<void> {
  await sql.query(
    `with gone as (delete from artifacts where domain_id = $1 and ${condition} returning kind, hash), remembered as (
       insert into ended_artifacts (domain_id, kind, hash, forget_at)
       select $1, kind, hash, now() + ${KEPT} from gone where kind <> 'AccessToken'
       on conflict (domain_id, kind, hash) do nothing
     )
     ${raisesForTokens(`select where exists (select from gone where kind = 'AccessToken')`)}`,
    [domainId, ...values],
  )
}

/** Whether an artifact may still be saved. If it exists, it stays until the transaction ends. */
export async function holdArtifact(sql: Sql, domainId: number, kind: string, hash: Uint8Array): Promise<boolean> {
  const key = `where domain_id = $1 and kind = $2 and hash = $3`
  const values = [domainId, kind, hash]
  const held = await sql.query(`select 1 as one from artifacts ${key} for update`, values)
  return held.length === 1 || (await sql.query(`select 1 as one from ended_artifacts ${key}`, values)).length === 0
}

/** Locks a session against ending until the transaction ends. False if it has ended. It need not be stored yet. */
export async function holdSession(sql: Sql, domainId: number, uid: string): Promise<boolean> {
  const names = `(values (1, ${ALL_SESSIONS}), (2, 'session ' || $2::text)) as held (place, name) order by place offset 0`
  await sql.query(lockOfDomain('name', 'shared', `(select name from ${names}) as ordered`), [domainId, uid])
  const ended = await sql.query(
    `select 1 as one from ended_artifacts where domain_id = $1 and kind = '${SESSION_UID}' and hash = ${hashOf('$2')}`,
    [domainId, uid],
  )
  return ended.length === 0
}

/** Locks the sessions that match a condition until the transaction ends, and returns their uids. */
async function lockSessions(
  sql: Sql,
  domainId: number,
  condition: string,
  ...values: (string | readonly string[])[]
): Promise<string[]> {
  const rows = await sql.rows(
    { uid: TEXT },
    `select distinct uid from artifacts where domain_id = $1 and kind = 'Session' and uid is not null and ${condition}`,
    [domainId, ...values],
  )
  const uids = rows.map(({ uid }) => uid)
  await lockUids(sql, domainId, uids)
  return uids
}

/** Locks sessions in a fixed order, so that two transactions that end several sessions cannot deadlock. */
async function lockUids(sql: Sql, domainId: number, uids: readonly string[]): Promise<void> {
  if (uids.length > MOST_LOCKED) await sql.query(lockOfDomain(ALL_SESSIONS), [domainId])
  else await lockEach(sql, domainId, uids)
}

async function lockEach(sql: Sql, domainId: number, uids: readonly string[]): Promise<void> {
  const ordered = `select uid from unnest($2::text[]) as named (uid) order by hashtextextended(${SESSION}, $1) offset 0`
  await sql.query(lockOfDomain(SESSION, 'alone', `(${ordered}) as ordered`), [domainId, uids])
}

/** Ends sessions, whatever their browser names. The caller locks them, or names the session that a browser has now. */
export async function endSessions(sql: Sql, domainId: number, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return
  await lockUids(sql, domainId, uids)
  await sql.query(
    `insert into ended_artifacts (domain_id, kind, hash, forget_at)
     select $1, '${SESSION_UID}', ${hashOf('uid')}, now() + ${KEPT} from unnest($2::text[]) as named (uid)
     on conflict (domain_id, kind, hash) do nothing returning 1 as one`,
    [domainId, uids],
  )
  await endArtifacts(sql, domainId, `kind = 'Session' and uid = any ($2)`, uids)
}

/** The grants of the codes and tokens that were issued in sessions. */
export async function fetchGrantsOfSessions(
  sql: Sql,
  domainId: number,
  uids: readonly string[],
  { withRefreshToken }: { readonly withRefreshToken: boolean },
): Promise<string[]> {
  const rows = await sql.rows(
    { grantId: TEXT },
    `select distinct a.grant_id as "grantId" from artifacts a
     where a.domain_id = $1 and a.session_uid = any ($2) and a.grant_id is not null and ($3 or (
       select t.kind from artifacts t
       where t.domain_id = $1 and t.grant_id = a.grant_id and ${hidden(`t.kind = 'RefreshToken'`)} limit 1) is null)`,
    [domainId, uids, withRefreshToken],
  )
  return rows.map(({ grantId }) => grantId)
}

/**
 * Revokes grants and everything that was issued for them. The first statement waits for transactions that hold a grant
 * while they write a token. The second statement then sees that token.
 */
export async function endGrants(sql: Sql, domainId: number, grantIds: readonly string[]): Promise<void> {
  if (grantIds.length === 0) return
  const hashes = `select ${hashOf('id')} from unnest($2::text[]) as named (id)`
  await endArtifacts(sql, domainId, `kind = 'Grant' and hash = any (array(${hashes}))`, grantIds)
  await endArtifacts(sql, domainId, `grant_id = any ($2)`, grantIds)
}

/**
 * Ends all artifacts that match a condition: sessions first, then grants, which is the locking order (see above). A
 * transaction must call this only once, for everything that it ends. A second call would lock sessions after rows, and
 * so could deadlock with their sign-out.
 */
export async function endGiven(
  sql: Sql,
  domainId: number,
  condition: string,
  ...values: (string | readonly string[])[]
): Promise<void> {
  await endSessions(sql, domainId, await lockSessions(sql, domainId, condition, ...values))
  // Deleting a grant waits for transactions that hold it while they write a token. The second statement then sees that
  // token.
  await endArtifacts(sql, domainId, `kind = 'Grant' and ${condition}`, ...values)
  await endArtifacts(sql, domainId, condition, ...values)
}

/** Ends the unredeemed codes of a session. */
export async function endCodes(sql: Sql, domainId: number, uid: string): Promise<void> {
  await endArtifacts(sql, domainId, `kind = 'AuthorizationCode' and session_uid = $2 and consumed_at is null`, uid)
}

/** Ends all that an account allowed to an application, and all issued for it. Grants come first, as in `endGrants`. */
export async function endConsent(sql: Sql, domainId: number, accountUuid: string, clientId: string): Promise<void> {
  const given = `account_uuid = $2::uuid and client_id = $3`
  await endArtifacts(sql, domainId, `${given} and kind = 'Grant'`, accountUuid, clientId)
  await endArtifacts(sql, domainId, given, accountUuid, clientId)
}

/** Like `deleteExpiredArtifacts`, but uses the clock of the database. */
export async function forgetEndedArtifacts(sql: Sql, domainId: number, _now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from ended_artifacts where domain_id = $1 and ctid = any (array(
       select ctid from ended_artifacts where domain_id = $1 and forget_at <= now() order by forget_at limit $2
       for update skip locked)) returning 1 as one`,
    [domainId, most],
  )
  return rows.length
}
