import { TEXT } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { raisesForTokens } from '../domains.ts'
import { hidden } from '../narrowest.ts'

// Deleting an artifact is not enough to end it: a request that read it before may save it again afterwards, and an
// upsert would make it anew. So an artifact that is deleted before its time leaves a row in ended_artifacts, and every
// request that saves one looks for that row. Saving and ending never overlap: both hold the session first
// (`holdSession`, `lockSessions`), then the grant, then the row.

/** The rows are kept for longer than any request lasts, by the clock of the database, which all processes share. */
const KEPT = `interval '1 day'`

/** The kind of the row for a session itself, whatever its name in the browser becomes. */
const SESSION_UID = 'SessionUid'

const SESSION_LOCK = `hashtextextended('session ' || uid, $1)`
const ALL_SESSIONS_LOCK = `hashtextextended('all sessions', $1)`

/** PostgreSQL has room for some thousand locks in all, so that of more sessions than so many all are locked at once. */
const MOST_LOCKED = 500

/** SQL for the hash of a text, as `tokenHash` makes it. */
export const hashOf = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`

/**
 * Deletes the artifacts that fit a condition, and remembers that they have ended. An access token is not remembered,
 * since it is written once and on a grant, and one of another provider may well come again; but requests that keep one
 * in memory must look it up again.
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

/** Whether an artifact may still be saved. One that is there stays there until the transaction ends. */
export async function holdArtifact(sql: Sql, domainId: number, kind: string, hash: Uint8Array): Promise<boolean> {
  const key = `where domain_id = $1 and kind = $2 and hash = $3`
  const values = [domainId, kind, hash]
  const held = await sql.query(`select 1 as one from artifacts ${key} for update`, values)
  return held.length === 1 || (await sql.query(`select 1 as one from ended_artifacts ${key}`, values)).length === 0
}

/**
 * Keeps a session from being ended until this transaction ends; false if it has ended. A new session need not be
 * stored yet.
 */
export async function holdSession(sql: Sql, domainId: number, uid: string): Promise<boolean> {
  await sql.query(
    `select pg_advisory_xact_lock_shared(${ALL_SESSIONS_LOCK})::text, pg_advisory_xact_lock_shared(${SESSION_LOCK})::text
     from (values ($2::text)) as held (uid)`,
    [domainId, uid],
  )
  const ended = await sql.query(
    `select 1 as one from ended_artifacts where domain_id = $1 and kind = '${SESSION_UID}' and hash = ${hashOf('$2')}`,
    [domainId, uid],
  )
  return ended.length === 0
}

/** The uids of the sessions that fit a condition. No other transaction uses them until this one ends. */
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

/** The order is always the same, so that two transactions that end several sessions do not wait for each other. */
async function lockUids(sql: Sql, domainId: number, uids: readonly string[]): Promise<void> {
  if (uids.length > MOST_LOCKED) await sql.query(`select pg_advisory_xact_lock(${ALL_SESSIONS_LOCK})::text`, [domainId])
  else await lockEach(sql, domainId, uids)
}

async function lockEach(sql: Sql, domainId: number, uids: readonly string[]): Promise<void> {
  await sql.query(
    `select pg_advisory_xact_lock(${SESSION_LOCK})::text
     from (select uid from unnest($2::text[]) as named (uid) order by ${SESSION_LOCK} offset 0) as ordered`,
    [domainId, uids],
  )
}

/**
 * Ends sessions under whatever name they have in a browser. The caller holds their locks, or names the one session that
 * a browser has now.
 */
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

/** The grants behind the codes and tokens that came out of sessions. */
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
 * Takes grants back with all that came out of them. Deleting them waits for the transactions that hold them while they
 * write a token, which the second statement then sees.
 */
export async function endGrants(sql: Sql, domainId: number, grantIds: readonly string[]): Promise<void> {
  if (grantIds.length === 0) return
  const hashes = `select ${hashOf('id')} from unnest($2::text[]) as named (id)`
  await endArtifacts(sql, domainId, `kind = 'Grant' and hash = any (array(${hashes}))`, grantIds)
  await endArtifacts(sql, domainId, `grant_id = any ($2)`, grantIds)
}

/**
 * Ends all artifacts that fit a condition: sessions first, then grants, as everybody locks them (see above). A transaction calls
 * this once, with everything that it ends. A second call would lock sessions while the transaction holds rows that their
 * sign-out needs.
 */
export async function endGiven(
  sql: Sql,
  domainId: number,
  condition: string,
  ...values: (string | readonly string[])[]
): Promise<void> {
  await endSessions(sql, domainId, await lockSessions(sql, domainId, condition, ...values))
  // Deleting a grant waits for the transactions that hold it while they write a token, which the second statement then sees.
  await endArtifacts(sql, domainId, `kind = 'Grant' and ${condition}`, ...values)
  await endArtifacts(sql, domainId, condition, ...values)
}

/** Ends the codes of a session that were not redeemed. */
export async function endCodes(sql: Sql, domainId: number, uid: string): Promise<void> {
  await endArtifacts(sql, domainId, `kind = 'AuthorizationCode' and session_uid = $2 and consumed_at is null`, uid)
}

/**
 * Ends all that an account has allowed to an application, with what came of it. The grants go first, as in `endGrants`.
 */
export async function endConsent(sql: Sql, domainId: number, accountUuid: string, clientId: string): Promise<void> {
  const given = `account_uuid = $2::uuid and client_id = $3`
  await endArtifacts(sql, domainId, `${given} and kind = 'Grant'`, accountUuid, clientId)
  await endArtifacts(sql, domainId, given, accountUuid, clientId)
}

/** As `deleteExpiredArtifacts`, by the clock of the database. */
export async function forgetEndedArtifacts(sql: Sql, domainId: number, _now: Date, most: number): Promise<number> {
  const rows = await sql.query(
    `delete from ended_artifacts where domain_id = $1 and ctid = any (array(
       select ctid from ended_artifacts where domain_id = $1 and forget_at <= now() order by forget_at limit $2
       for update skip locked)) returning 1 as one`,
    [domainId, most],
  )
  return rows.length
}
