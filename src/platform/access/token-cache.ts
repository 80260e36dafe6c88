import { findArtifact, saveArtifact } from '../../store/artifacts.ts'
import { readDomain, writeAccess } from '../../store/domains.ts'
import type { AccessContext } from './access-context.ts'
import type { DelegatedSignIn } from './delegated-sign-in.ts'
import { tokenHash } from './token-hash.ts'

const KIND = 'AccessToken'

/** Of a token that was accepted, what later requests find it by: as one of our own (specification, section 5). */
export async function rememberToken(
  { database, domain, now }: AccessContext,
  token: string,
  { account, scopes, methodUuid, clientId, expiresAt }: DelegatedSignIn,
): Promise<void> {
  const issuedAt = now()
  const scope = scopes.join(' ')
  const artifact = {
    kind: KIND,
    hash: tokenHash(token),
    // As oidc-provider would have written it, so that it can be introspected.
    payload: {
      kind: KIND,
      accountId: account.uuid,
      clientId,
      scope,
      iat: seconds(issuedAt),
      exp: seconds(expiresAt),
    },
    grantId: null,
    uid: null,
    clientId: null,
    accountUuid: account.uuid,
    methodUuid,
    scope,
    issuedAt,
    consumedAt: null,
    expiresAt,
  }
  await writeAccess(database, domain.id, (sql) => saveArtifact(sql, domain.id, artifact))
}

/** Whether it was taken back here: it does not come to life again by being shown once more. */
export async function isTakenBack({ database, domain }: AccessContext, token: string): Promise<boolean> {
  const known = await readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, KIND, tokenHash(token)))
  return known !== null && known.consumedAt !== null
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000)
}
