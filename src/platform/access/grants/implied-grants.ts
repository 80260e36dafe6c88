import { rulesOf } from '../../../auth/method-configuration.ts'
import type { Role } from '../../../auth/roles.ts'
import type { AccessContext } from '../access-context.ts'
import { OPERATOR } from '../accounts/bootstrap.ts'
import { listMethods } from '../methods/methods.ts'

/** A role that an account has without a grant of its own. */
export interface ImpliedGrant {
  readonly machineUser: string | null
  readonly role: Role | null
  readonly scopes: readonly string[]
  readonly reason: string
}

const OPERATORS: ImpliedGrant = {
  machineUser: OPERATOR,
  role: 'administrator',
  scopes: [],
  reason: "the platform's own operator, where the data model has none of that name",
}

/** Lists implied grants. A rule that names a machine user grants it rights, for tokens that the rule accepts. */
export async function listImpliedGrants(context: AccessContext): Promise<ImpliedGrant[]> {
  const methods = await listMethods(context)
  const byRule = methods.flatMap((method) => {
    if (method.kind === 'internal' || method.status !== 'ACTIVATED') return []
    const forMachines = rulesOf(method.configuration).filter(({ machineUser }) => machineUser !== null)
    return forMachines.map(({ name, machineUser, scopes }) => ({
      machineUser,
      role: null,
      scopes,
      reason: `the rule ${JSON.stringify(name)} of the authentication method ${JSON.stringify(method.name)}`,
    }))
  })
  return [OPERATORS, ...byRule]
}
