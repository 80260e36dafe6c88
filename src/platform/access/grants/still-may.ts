import type { HeldRole } from '../../../auth/roles.ts'
import { deviceRightsOf, rightsOf, type Right } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { fetchMethod } from '../../../store/access/authentication-methods.ts'
import { fetchGrants, fetchUnitsWithin } from '../../../store/access/grants.ts'
import { findPrincipal, type Principal } from '../../../store/access/principals.ts'
import { fetchRightsVersion } from '../../../store/domains.ts'
import { ACCOUNT_TYPES } from '../accounts/accounts.ts'
import { statusOf } from '../accounts/status.ts'
import type { Actor } from './actor.ts'
import { GrantBook } from './grant-book.ts'
import { organizationOf } from './grantee.ts'
import { ADMINISTRATOR, isStandingOperator, rightsHeld } from './make-actor.ts'
import { scopesOf } from './method-scopes.ts'

type Rights = Pick<Actor, 'rights' | 'rightsWithin'>

/**
 * Tells whether an actor may do all that it could when its token was looked up, as it is in this transaction. Of what
 * stands behind the token, account, authentication method and grants are looked at anew, and only where rights of the
 * domain were changed.
 */
export async function stillMay(sql: Sql, domainId: number, actor: Actor): Promise<boolean> {
  const { account, rightsVersion } = actor
  if (account === null || (await fetchRightsVersion(sql, domainId)) === rightsVersion) return true
  const principal = await findPrincipal(sql, domainId, ACCOUNT_TYPES, account.uuid)
  if (principal === null || statusOf(principal.body) !== 'ACTIVATED') return false
  const scopes = await scopesNow(sql, domainId, actor)
  return coversAll(await rightsNow(sql, domainId, actor, scopes, principal), actor)
}

/** The scopes of the token that its authentication method still allows, by which a rule lets in and gives rights, too. */
async function scopesNow(sql: Sql, domainId: number, { account, methodUuid, scopes }: Actor): Promise<string[]> {
  if (methodUuid === null || account === null) return [...scopes]
  const allowed = scopesOf(await fetchMethod(sql, domainId, methodUuid), account)
  return allowed === null ? [] : scopes.filter(allowed)
}

/** Without roles, scopes alone give the rights of devices, and of machine users that a rule let in. */
async function rightsNow(
  sql: Sql,
  domainId: number,
  actor: Actor,
  scopes: readonly string[],
  principal: Principal,
): Promise<Rights> {
  if (actor.isDevice) return { rights: deviceRightsOf(scopes), rightsWithin: new Map() }
  const rights = rightsOf(scopes)
  if (actor.grantee === null) return { rights, rightsWithin: new Map() }
  const roles = await rolesNow(sql, domainId, actor, principal)
  return rightsHeld(roles, rights, (keys) => fetchUnitsWithin(sql, domainId, keys))
}

async function rolesNow(
  sql: Sql,
  domainId: number,
  { account, grantee }: Actor,
  { isOfModel, body }: Principal,
): Promise<readonly HeldRole[]> {
  if (account === null || grantee === null) return []
  if (isStandingOperator(account, isOfModel)) return ADMINISTRATOR
  return new GrantBook(await fetchGrants(sql, domainId)).heldBy({
    ...grantee,
    isOfModel,
    organization: organizationOf(body),
  })
}

/** A right in the whole domain covers it within units, too. A unit may have come to another organization. */
function coversAll(now: Rights, before: Rights): boolean {
  const isWithin = (right: Right, units: readonly string[]) =>
    now.rights.has(right) || new Set(units).isSubsetOf(new Set(now.rightsWithin.get(right)))
  return (
    before.rights.isSubsetOf(now.rights) && [...before.rightsWithin].every(([right, units]) => isWithin(right, units))
  )
}
