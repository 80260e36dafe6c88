import { ruleDigest } from '../../src/auth/token-rules.ts'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import type { MetPerson } from '../../src/platform/access/delegated/identity/external-identity.ts'
import { saveStanding } from '../../src/platform/access/sessions/late-writes.ts'
import type { DelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { identityStamp } from '../../src/platform/access/sessions/security-stamp.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { artifact } from './access.ts'

/**
 * The access token that an application gets for the person who is signed in in a browser, by a code or by refreshing.
 */
export async function tokenOfSession(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  { account, identity }: MetPerson,
): Promise<string> {
  const token = crypto.randomUUID()
  const made = artifact(token, { accountUuid: account.uuid, methodUuid: method.uuid, scope: 'openid service' })
  const on = { stamp: identityStamp(method, identity), rule: ruleDigest(null), sessionUid: null }
  if (!(await writeAccess(database, domain.id, (sql) => saveStanding(sql, domain.id, made, on))))
    throw new Error('what the token stands on has ended')
  return token
}
