import type { Sql } from '../../../db/sql.ts'
import { fetchMethod, holdMethod } from '../../../store/access/authentication-methods.ts'
import { saveArtifact, type Artifact } from '../../../store/access/artifacts.ts'
import { holdArtifact, holdSession } from '../../../store/access/ended-artifacts.ts'
import { holdGrant } from '../../../store/access/consents.ts'
import { holdHash } from '../../../store/access/principals.ts'
import { passwordMark } from './sign-in-mark.ts'
import { holdIdentity } from '../delegated/standing-identity.ts'
import { tokenHash } from './token-hash.ts'

// A request that began before somebody was signed out may write afterwards what it was about to: a session, a code, a
// token. So everything that it stands on is held while it is written, and nothing is written where one of that has ended.
// Who ends something takes the same things in the same order (see store/ended-artifacts.ts), and so finds what was
// written before, or is found by what is written after.

/** What an artifact stands on, besides its grant and what it was before itself. */
export interface Standing {
  /** Of the password or identity: see sign-in-mark.ts. */
  readonly mark: string | null
  /** The session that it is, or comes out of while the person is there; null where it lives by itself. */
  readonly sessionUid: string | null
  /** The grants by claims that it was made with; left out: those that its identity fits. */
  readonly fits?: readonly string[]
}

/** False, and nothing is written, where something that the artifact stands on has ended, or it has itself. */
export async function saveStanding(sql: Sql, domainId: number, artifact: Artifact, on: Standing): Promise<boolean> {
  const { kind, hash, grantId } = artifact
  const fits = await holdProof(sql, domainId, artifact, on.mark)
  const stands =
    fits !== null &&
    (on.sessionUid === null || (await holdSession(sql, domainId, on.sessionUid))) &&
    (grantId === null || (await holdGrant(sql, domainId, tokenHash(grantId)))) &&
    (await holdArtifact(sql, domainId, kind, hash))
  if (stands) await saveArtifact(sql, domainId, kind === 'AccessToken' ? withFits(artifact, on.fits ?? fits) : artifact)
  return stands
}

/** A request finds them with the token, as with one of another provider: see find_bearer in the migrations. */
function withFits(artifact: Artifact, fits: readonly string[]): Artifact {
  return fits.length === 0 ? artifact : { ...artifact, payload: { ...artifact.payload, fits: [...fits] } }
}

/** The grants to identities that fit; null where what let somebody sign in has ended. */
async function holdProof(
  sql: Sql,
  domainId: number,
  { methodUuid, accountUuid }: Artifact,
  mark: string | null,
): Promise<readonly string[] | null> {
  if (methodUuid !== null && !(await holdMethod(sql, domainId, methodUuid))) return null
  const fits = await holdIdentity(sql, domainId, { methodUuid, accountUuid, mark })
  if (fits === null || mark === null || accountUuid === null) return fits
  return (await holdPassword(sql, domainId, { methodUuid, accountUuid, mark })) ? fits : null
}

/** True also where it is no password that they signed in by. */
async function holdPassword(
  sql: Sql,
  domainId: number,
  by: { readonly methodUuid: string | null; readonly accountUuid: string; readonly mark: string },
): Promise<boolean> {
  const method = by.methodUuid === null ? null : await fetchMethod(sql, domainId, by.methodUuid)
  if (method?.kind === 'openid-delegated') return true
  const hash = await holdHash(sql, domainId, by.accountUuid)
  return hash !== null && passwordMark(hash) === by.mark
}
