import type { Sql } from '../../../db/sql.ts'
import { canonicalText } from '../../../lib/json.ts'
import { saveArtifact } from '../../../store/access/artifacts.ts'
import { lockMethod } from '../../../store/access/authentication-methods.ts'
import { holdAccount } from '../../../store/access/principals.ts'
import { writeAccess } from '../../../store/domains.ts'
import { holdIdentitiesOf } from '../../../store/access/external-identities.ts'
import { statusOf } from '../accounts/status.ts'
import type { AccessContext } from '../access-context.ts'
import type { DelegatedSignIn } from '../delegated/delegated-sign-in.ts'
import { repositoryOfToken } from '../delegated/identity/token-repository.ts'
import { termsOf, toMethod, type DelegatedMethod } from '../methods/method.ts'
import { refusal } from '../delegated/refusal.ts'
import { tokenHash } from './token-hash.ts'

/**
 * Stores an accepted token of another provider, so that later requests find it like a token of this platform
 * (specification, section 5). It fails if the method or the identity changed while the token was checked, because
 * everything issued before that change has ended already.
 */
export async function rememberToken(
  { database, domain, now }: AccessContext,
  token: string,
  { account, identity, claims, scopes, rule, fits, method, expiresAt }: DelegatedSignIn,
): Promise<void> {
  const artifact = {
    kind: 'AccessToken',
    hash: tokenHash(token),
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
    const held = await holdAccount(sql, domain.id, account.uuid)
    if (held === null || statusOf(held) !== 'ACTIVATED')
      throw refusal('its account was changed at the same moment; try again')
    const stored = await lockMethod(sql, domain.id, method.uuid)
    if (stored === null || !isSame(toMethod(stored), method))
      throw refusal('its authentication method was changed at the same moment; try again')
    if (identity !== null && !(await holdsIdentity(sql, domain.id, account.uuid, identity)))
      throw refusal('its account was changed at the same moment; try again')
    // At some providers, people may write claims about themselves, so only a machine user's claims can be trusted: a
    // rule checked them.
    const repository = identity === null ? repositoryOfToken(claims) : null
    const payload = { fits: [...fits], rule, ...(repository && { repository: { ...repository } }) }
    await saveArtifact(sql, domain.id, { ...artifact, payload })
  })
}

/** Locks the identities. A transaction that ends the identity waits for this one, and then finds the token. */
async function holdsIdentity(sql: Sql, domainId: number, accountUuid: string, identity: string): Promise<boolean> {
  const held = await holdIdentitiesOf(sql, domainId, accountUuid)
  return held.some(({ uuid }) => uuid === identity)
}

function isSame(stored: ReturnType<typeof toMethod>, method: DelegatedMethod): boolean {
  return canonicalText(termsOf(stored)) === canonicalText(termsOf(method))
}
