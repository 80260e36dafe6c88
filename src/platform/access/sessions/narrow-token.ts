import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../auth/scopes.ts'
import { findArtifact, isTokenInUse } from '../../../store/access/artifacts.ts'
import { holdAccount } from '../../../store/access/principals.ts'
import { holdIdentitiesOf } from '../../../store/access/external-identities.ts'
import { readDomain } from '../../../store/domains.ts'
import { changeApart } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'
import { saveStanding } from './late-writes.ts'
import { tokenHash } from './token-hash.ts'

interface Narrow {
  /** Left out: the scopes of the other token. */
  readonly scope?: Scope
  readonly seconds: number
}

/**
 * Makes an access token from another token, for fewer scopes or a shorter time. It has the same method, rule and grants,
 * so it never gives its holder additional rights, and it expires with the other token at the latest. Null if the other
 * token has ended.
 */
export async function narrowToken(
  context: AccessContext,
  token: string,
  { scope: wanted, seconds }: Narrow,
): Promise<string | null> {
  const { database, domain, now } = context
  const hash = tokenHash(token)
  const own = await readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, 'AccessToken', hash))
  const issuedAt = now()
  if (own === null || own.consumedAt !== null || own.expiresAt <= issuedAt) return null
  const value = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Math.min(own.expiresAt.getTime(), issuedAt.getTime() + seconds * 1_000))
  const scope = wanted ?? own.scope
  const payload = { ...own.payload, scope, iat: secondsOf(issuedAt), exp: secondsOf(expiresAt) }
  const narrow = { ...own, hash: tokenHash(value), payload, scope, issuedAt, expiresAt }
  const on = { stamp: null, rule: null, sessionUid: own.sessionUid ?? null, fits: [] }
  const isSaved = await changeApart(context, async (sql) => {
    // An unbinding waits for this lock, and then finds the new token besides the other one.
    if (own.accountUuid !== null) {
      if ((await holdAccount(sql, domain.id, own.accountUuid)) === null) return false
      await holdIdentitiesOf(sql, domain.id, own.accountUuid)
    }
    return (await isTokenInUse(sql, domain.id, hash, issuedAt)) && saveStanding(sql, domain.id, narrow, on)
  })
  return isSaved ? value : null
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000)
}
