import { canonicalText } from '../../lib/json.ts'
import { saveArtifact } from '../../store/artifacts.ts'
import { lockMethod } from '../../store/authentication-methods.ts'
import { writeAccess } from '../../store/domains.ts'
import type { AccessContext } from './access-context.ts'
import type { DelegatedSignIn } from './delegated-sign-in.ts'
import { termsOf, toMethod, type DelegatedMethod } from './method.ts'
import { refusal } from './refusal.ts'
import { tokenHash } from './token-hash.ts'

/**
 * Of a token that was accepted, what later requests find it by: as one of our own (specification, section 5). Fails where
 * its method has changed while the token was checked: what was given on its old terms has been ended already.
 */
export async function rememberToken(
  { database, domain, now }: AccessContext,
  token: string,
  { account, scopes, expiresAt }: DelegatedSignIn,
  method: DelegatedMethod,
): Promise<void> {
  const artifact = {
    kind: 'AccessToken',
    hash: tokenHash(token),
    payload: {},
    grantId: null,
    uid: null,
    clientId: null,
    accountUuid: account.uuid,
    methodUuid: method.uuid,
    scope: scopes.join(' '),
    issuedAt: now(),
    consumedAt: null,
    expiresAt,
  }
  await writeAccess(database, domain.id, async (sql) => {
    const stored = await lockMethod(sql, domain.id, method.uuid)
    if (stored === null || !isSame(toMethod(stored), method))
      throw refusal('its authentication method was changed at the same moment; try again')
    await saveArtifact(sql, domain.id, artifact)
  })
}

function isSame(stored: ReturnType<typeof toMethod>, method: DelegatedMethod): boolean {
  return canonicalText(termsOf(stored)) === canonicalText(termsOf(method))
}
