import { rulesOf } from '../../../auth/method-configuration.ts'
import { rightsInDomain } from '../../../auth/roles.ts'
import { fetchRightsVersion, readDomain } from '../../../store/domains.ts'
import { fetchFormerEditors } from '../../../store/access/lost-rights.ts'
import type { AccessContext } from '../access-context.ts'
import { ACCOUNT_TYPES, toAccount } from '../accounts/accounts.ts'
import { organizationOf } from './grantee.ts'
import { listImpliedGrants } from './implied-grants.ts'
import { listMethods } from '../methods/methods.ts'

/** An account that could do more before roles existed, with advice on how to restore that. */
export interface LostRight {
  readonly who: string
  readonly what: string
  readonly advice: string
}

/** Before roles existed, every token with the scope `service` could do everything. */
export async function listLostRights(context: AccessContext): Promise<LostRight[]> {
  return [...(await formerEditors(context)), ...(await peopleOfProviders(context))]
}

async function formerEditors(context: AccessContext): Promise<LostRight[]> {
  const { database, domain, grants } = context
  const [former, version] = await readDomain(database, domain.id, async (sql) => [
    await fetchFormerEditors(sql, domain.id, ACCOUNT_TYPES),
    await fetchRightsVersion(sql, domain.id),
  ])
  const byRule = new Set((await listImpliedGrants(context)).map(({ machineUser }) => machineUser))
  const lost: LostRight[] = []
  for (const { applies, ...record } of former) {
    const { kind, login } = toAccount({ uuid: '', ...record })
    const grantee = { kind, login, isOfModel: true, organization: organizationOf(record.body), fits: [] }
    const roles = await grants.rolesOf(domain.id, version, grantee)
    if (rightsInDomain(roles).has('model:apply') || (kind === 'machine' && byRule.has(login))) continue
    const subject = kind === 'machine' ? 'machineUser' : 'user'
    lost.push({
      who: login,
      what: `has applied ${applies} import${applies === 1 ? '' : 's'} and cannot any more`,
      advice: `grant { role: editor, ${subject}: ${login} }, or administrator where imports change who may sign in`,
    })
  }
  return lost
}

async function peopleOfProviders(context: AccessContext): Promise<LostRight[]> {
  const methods = await listMethods(context)
  return methods.flatMap((method) => {
    if (method.kind === 'internal' || method.status !== 'ACTIVATED') return []
    const { issuer, emailDomains } = method.configuration
    if (rulesOf(method.configuration).length > 0 || emailDomains.length > 0) return []
    return [
      {
        who: `people of ${method.name} (${issuer})`,
        what: 'can sign in and see who they are, and nothing else',
        advice: 'say in emailDomains for which addresses it is trusted, or grant a role to its identities by claims',
      },
    ]
  })
}
