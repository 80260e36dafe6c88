import { rightsInDomain } from '../../../auth/roles.ts'
import type { Sql } from '../../../db/sql.ts'
import { fetchGrants } from '../../../store/access/grants.ts'
import { findPrincipal } from '../../../store/access/principals.ts'
import { ACCOUNT_TYPES } from '../accounts/accounts.ts'
import { mayChangeAccess, type Actor } from './actor.ts'
import { GrantBook } from './grant-book.ts'
import { organizationOf } from './grantee.ts'
import { isStandingOperator } from './make-actor.ts'
import { statusOf } from '../accounts/status.ts'

/**
 * Tells whether an actor may change access, as it is in this transaction. The request may have waited for the very
 * change that takes this right away, so it is checked again under the domain's lock.
 */
export async function stillMayChangeAccess(sql: Sql, domainId: number, actor: Actor): Promise<boolean> {
  const { account, grantee } = actor
  if (!mayChangeAccess(actor)) return false
  if (account === null) return true
  const principal = await findPrincipal(sql, domainId, ACCOUNT_TYPES, account.uuid)
  if (principal === null || statusOf(principal.body) !== 'ACTIVATED') return false
  if (grantee === null || isStandingOperator(account, principal.isOfModel)) return true
  const now = { ...grantee, isOfModel: principal.isOfModel, organization: organizationOf(principal.body) }
  const roles = new GrantBook(await fetchGrants(sql, domainId)).heldBy(now)
  // Both rights that `mayChangeAccess` accepts belong to the administrator's role alone (auth/roles.ts).
  return rightsInDomain(roles).has('access:admin')
}
