import { givesAdministration, scopesOfRule, storedConfiguration } from '../../../auth/method-configuration.ts'
import { ROLE_MEANINGS } from '../../../auth/roles.ts'
import { commonScopes, rightsOf, type Right } from '../../../auth/scopes.ts'
import type { Backing } from '../../../store/access/bearers.ts'
import type { Account } from '../accounts/account.ts'

/**
 * The scopes of a token that its method allows now to somebody whom a rule of it let in; null where it does not let them
 * in any more.
 */
export function scopesAllowedBy(
  method: Backing['method'],
  { kind, login }: Pick<Account, 'kind' | 'login'>,
  { rule, scopes }: { readonly rule: string | null; readonly scopes: readonly string[] },
): readonly string[] | null {
  if (method?.status !== 'ACTIVATED') return null
  if (method.kind === 'internal') return scopes
  const machineUser = kind === 'machine' ? login : null
  const most = scopesOfRule(storedConfiguration(method.configuration), { rule, machineUser })
  return most && commonScopes(scopes, most)
}

const ADMINISTRATION: ReadonlySet<Right> = new Set(ROLE_MEANINGS.administrator.adds)

/** The rights that a person may have by a method at all, with these scopes and whatever is granted to the person. */
export function rightsAllowedBy(method: Backing['method'], scopes: readonly string[]): ReadonlySet<Right> {
  const rights = rightsOf(scopes)
  if (method?.kind !== 'openid-delegated' || givesAdministration(storedConfiguration(method.configuration)))
    return rights
  return rights.difference(ADMINISTRATION)
}
