import { reasonNotToMatch, rulesOf } from '../../../auth/method-configuration.ts'
import { fetchIdentityGrants } from '../../../store/access/grants.ts'
import { readDomain } from '../../../store/domains.ts'
import type { AccessContext } from '../access-context.ts'
import type { DelegatedMethod } from '../methods/method.ts'
import { listMethods } from '../methods/methods.ts'

/** People who can sign in but have no rights, with advice. */
export interface LostRight {
  readonly who: string
  readonly what: string
  readonly advice: string
}

/** Lists the people of providers who are not users of the model and have no role. */
export async function listLostRights(context: AccessContext): Promise<LostRight[]> {
  const lost: LostRight[] = []
  for (const method of await listMethods(context)) {
    if (method.kind === 'internal' || method.status !== 'ACTIVATED') continue
    const { issuer, emailDomains } = method.configuration
    const makesUsers = emailDomains.length > 0 || reasonNotToMatch(method.configuration) === null
    const isRuled = rulesOf(method.configuration).length > 0
    if (makesUsers || isRuled || (await hasGrants(context, method))) continue
    lost.push({
      who: `people of ${method.name} (${issuer})`,
      what: 'can sign in and see their own account, but have no rights',
      advice: 'say in emailDomains for which addresses it is trusted, or grant a role to its identities by claims',
    })
  }
  return lost
}

async function hasGrants(
  { database, domain }: AccessContext,
  { configuration: { issuer, clientId } }: DelegatedMethod,
): Promise<boolean> {
  const grants = await readDomain(database, domain.id, (sql) => fetchIdentityGrants(sql, domain.id, issuer, clientId))
  return grants.length > 0
}
