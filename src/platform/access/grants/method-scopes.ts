import { scopesAtMost, storedConfiguration } from '../../../auth/method-configuration.ts'
import type { Backing } from '../../../store/access/bearers.ts'
import type { Account } from '../accounts/account.ts'

/** Tells which scopes a method allows now to somebody who came in by it; null where it lets nobody in. */
export function scopesOf(
  method: Backing['method'],
  { kind, login }: Pick<Account, 'kind' | 'login'>,
): ((scope: string) => boolean) | null {
  if (method?.status !== 'ACTIVATED') return null
  if (method.kind === 'internal') return () => true
  const machineUser = kind === 'machine' ? login : null
  const most = scopesAtMost(storedConfiguration(method.configuration), machineUser)
  return (scope) => most.includes(scope)
}
