import { givesAdministration, scopesOfRule, storedConfiguration } from '../../../auth/method-configuration.ts'
import { ROLE_MEANINGS } from '../../../auth/roles.ts'
import { commonScopes, rightsOf, type Right } from '../../../auth/scopes.ts'
import type { Backing } from '../../../store/access/bearers.ts'
import type { Account } from '../accounts/account.ts'
import type { Client } from '../clients/client.ts'

/** The scopes of a token that its method still allows by the account's rule; null if it no longer lets it in. */
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

/** The method and the rule by which a token was issued. */
interface IssuedTo {
  readonly clientId: string | null
  /** The application consumer with the key in the client_id. Its uuid may differ. */
  readonly client: Client | null
  readonly method: Pick<NonNullable<Backing['method']>, 'configuration'> | null
}

/** The scopes of a token that its application still allows; null if the application may no longer act for anybody. */
export function scopesAllowedByClient(
  { clientId, client, method }: IssuedTo,
  scopes: readonly string[],
): readonly string[] | null {
  if (clientId === null) return scopes
  if (client?.identifier === clientId)
    return client.status === 'ACTIVATED' ? commonScopes(scopes, client.allowedScopes) : null
  // In a token exchange, the client has the name that the other provider gives to this platform (RFC 8693).
  return method?.configuration['clientId'] === clientId ? scopes : null
}

const ADMINISTRATION: ReadonlySet<Right> = new Set(ROLE_MEANINGS.administrator.adds)

/** The maximum number of rights that a person can have by a method with these scopes. Grants may only reduce them. */
export function rightsAllowedBy(method: Backing['method'], scopes: readonly string[]): ReadonlySet<Right> {
  const rights = rightsOf(scopes)
  if (method?.kind !== 'openid-delegated' || givesAdministration(storedConfiguration(method.configuration)))
    return rights
  return rights.difference(ADMINISTRATION)
}
