import type { Sql } from '../../../db/sql.ts'
import { fetchMethod, holdMethod } from '../../../store/access/authentication-methods.ts'
import { saveArtifact, type Artifact } from '../../../store/access/artifacts.ts'
import { holdArtifact, holdSession } from '../../../store/access/ended-artifacts.ts'
import { holdGrant } from '../../../store/access/sessions.ts'
import { holdAccount, holdHash } from '../../../store/access/principals.ts'
import { statusOf } from '../accounts/status.ts'
import { passwordStamp } from './security-stamp.ts'
import { ANY_RULE, holdIdentity } from '../delegated/identity/standing-identity.ts'
import { tokenHash } from './token-hash.ts'

// A request that began before a sign-out may write a session, a code or a token afterwards. So the write locks
// everything that the artifact depends on, and fails if any of that has ended. A transaction that ends something takes
// the same locks in the same order (see store/access/ended-artifacts.ts). It thus finds each earlier write, and each
// later write sees its effect.

/** The records that an artifact depends on, besides its grant and its own earlier form. */
export interface DependsOn {
  /** The security stamp of the password or identity: see security-stamp.ts. */
  readonly stamp: string | null
  /** The rule that let the account in (`ruleDigest`); null for a password. */
  readonly rule: string | null
  /** The session that the artifact is, or with which it ends; null if it depends on no session. */
  readonly sessionUid: string | null
  /** The grants by claims with which the artifact was made. If left out, the grants that its identity fits. */
  readonly fits?: readonly string[]
}

/** Saves an artifact. Returns false and writes nothing if the artifact, or something that it depends on, has ended. */
export async function saveStanding(sql: Sql, domainId: number, artifact: Artifact, on: DependsOn): Promise<boolean> {
  const { kind, hash, grantId } = artifact
  const fits = await holdProof(sql, domainId, artifact, on)
  const stands =
    fits !== null &&
    (on.sessionUid === null || (await holdSession(sql, domainId, on.sessionUid))) &&
    (grantId === null || (await holdGrant(sql, domainId, tokenHash(grantId)))) &&
    (await holdArtifact(sql, domainId, kind, hash))
  if (stands) await saveArtifact(sql, domainId, kind === 'AccessToken' ? withRights(artifact, on, fits) : artifact)
  return stands
}

/**
 * Stores the rule and the fitting grants with the token, as for a token of another provider, so that a request finds
 * them: see find_token in the migrations.
 */
function withRights(artifact: Artifact, { rule, fits: own }: DependsOn, standing: readonly string[]): Artifact {
  const fits = own ?? standing
  const rights = { ...(fits.length > 0 && { fits: [...fits] }), ...(rule !== null && { rule }) }
  return { ...artifact, payload: { ...artifact.payload, ...rights } }
}

/**
 * Locks the password or identity with which the account signed in. Returns the grants that fit; null if it has ended.
 */
async function holdProof(
  sql: Sql,
  domainId: number,
  { methodUuid, accountUuid }: Artifact,
  { stamp, rule, fits: own }: DependsOn,
): Promise<readonly string[] | null> {
  if (accountUuid !== null && !(await holdsAccount(sql, domainId, accountUuid))) return null
  if (methodUuid !== null && !(await holdMethod(sql, domainId, methodUuid))) return null
  const fits = await holdIdentity(sql, domainId, { methodUuid, accountUuid, stamp, rule: own ? ANY_RULE : rule })
  if (fits === null || accountUuid === null || stamp === null) return fits
  return (await holdPassword(sql, domainId, { methodUuid, accountUuid, stamp })) ? fits : null
}

async function holdsAccount(sql: Sql, domainId: number, uuid: string): Promise<boolean> {
  const account = await holdAccount(sql, domainId, uuid)
  return account !== null && statusOf(account) === 'ACTIVATED'
}

/** True also if the account did not sign in by a password. */
async function holdPassword(
  sql: Sql,
  domainId: number,
  by: { readonly methodUuid: string | null; readonly accountUuid: string; readonly stamp: string },
): Promise<boolean> {
  const method = by.methodUuid === null ? null : await fetchMethod(sql, domainId, by.methodUuid)
  if (method?.kind === 'openid-delegated') return true
  const hash = await holdHash(sql, domainId, by.accountUuid)
  return hash !== null && passwordStamp(hash) === by.stamp
}
