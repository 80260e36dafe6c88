import { hash } from 'node:crypto'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { isObject } from '../../../lib/json.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import { deleteArtifact } from '../../../store/access/artifacts.ts'
import { endCodes, endGrants, endSessions, fetchGrantsOfSessions } from '../../../store/access/ended-artifacts.ts'
import { fetchSessionOfToken, fetchSessions, type StoredSession } from '../../../store/access/sessions.ts'
import { changeAccess } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'
import { tokenHash } from './token-hash.ts'

/** A browser in which an account is signed in. */
export interface Session {
  readonly uuid: string
  readonly startedAt: Date
  readonly lastUsedAt: Date
  /** The name of the authentication method. */
  readonly method: string | null
  /** `Firefox on Linux`; null if it is not known. */
  readonly agent: string | null
  /** The network from which the session was last used. */
  readonly network: string | null
  /** Whether the present request comes from this session. */
  readonly isCurrent: boolean
}

/**
 * Signs the person out. Tokens of applications end, too. They stay only if the application has a refresh token, because
 * that is for work without the person. Codes that were not redeemed become invalid.
 */
export async function signOut(sql: Sql, domainId: number, uid: string): Promise<void> {
  await endSessions(sql, domainId, [uid])
  await endCodes(sql, domainId, uid)
  await endGrants(sql, domainId, await fetchGrantsOfSessions(sql, domainId, [uid], { withRefreshToken: false }))
}

/** Signs out the holder of this access token, as `signOut` does. A token without a session ends alone. */
export async function signOutByToken({ database, domain }: AccessContext, token: string): Promise<void> {
  const hash = tokenHash(token)
  await writeAccess(database, domain.id, async (sql) => {
    const uid = await fetchSessionOfToken(sql, domain.id, hash)
    if (uid === null) await deleteArtifact(sql, domain.id, 'AccessToken', hash)
    else await signOut(sql, domain.id, uid)
  })
}

/** Lists sessions. `tokenHash` is the hash of the request's token. */
export async function listSessions(
  { database, domain, now }: AccessContext,
  accountUuid: string,
  tokenHash: Uint8Array,
): Promise<Session[]> {
  return readDomain(database, domain.id, async (sql) => {
    const current = await fetchSessionOfToken(sql, domain.id, tokenHash)
    const sessions = await fetchSessions(sql, domain.id, accountUuid, now())
    return sessions.map((session) => toSession(session, current))
  })
}

/** Ends a session of an account with every token issued in it, and returns the session as it was. */
export async function endSession(
  context: AccessContext,
  accountUuid: string,
  uuid: string,
  tokenHash: Uint8Array,
): Promise<Session> {
  const [ended] = await endSome(context, accountUuid, tokenHash, (session) => session.uuid === uuid)
  if (ended === undefined)
    throw new HoldfastError('NOT_FOUND', `there is no session ${uuid}; it may have ended already`)
  return ended
}

/** Ends all sessions of an account with every token issued in them. `exceptCurrent` keeps the present session. */
export async function endAllSessions(
  context: AccessContext,
  accountUuid: string,
  tokenHash: Uint8Array,
  { exceptCurrent }: { readonly exceptCurrent: boolean },
): Promise<Session[]> {
  return endSome(context, accountUuid, tokenHash, ({ isCurrent }) => !(exceptCurrent && isCurrent))
}

async function endSome(
  context: AccessContext,
  accountUuid: string,
  tokenHash: Uint8Array,
  shallEnd: (session: Session) => boolean,
): Promise<Session[]> {
  const { domain, now } = context
  return changeAccess(context, async (sql) => {
    const current = await fetchSessionOfToken(sql, domain.id, tokenHash)
    const stored = await fetchSessions(sql, domain.id, accountUuid, now())
    const ending = stored.filter((session) => shallEnd(toSession(session, current)))
    const uids = ending.map(({ uid }) => uid)
    await endSessions(sql, domain.id, uids)
    await endGrants(sql, domain.id, await fetchGrantsOfSessions(sql, domain.id, uids, { withRefreshToken: true }))
    return ending.map((session) => toSession(session, current))
  })
}

function toSession({ uid, payload, methodName, issuedAt }: StoredSession, current: string | null): Session {
  const { loginTs } = payload
  const origin = isObject(payload['origin']) ? payload['origin'] : {}
  const startedAt = typeof loginTs === 'number' ? new Date(loginTs * 1000) : issuedAt
  return {
    uuid: uuidOf(uid),
    startedAt,
    lastUsedAt: typeof origin['usedAt'] === 'string' ? new Date(origin['usedAt']) : startedAt,
    method: methodName,
    agent: textOrNull(origin['agent']),
    network: textOrNull(origin['network']),
    isCurrent: uid === current,
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A uuid for display. It does not reveal the session's own id (RFC 9562, section 5.8). */
function uuidOf(uid: string): string {
  const hex = hash('sha256', `session\n${uid}`, 'hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
