import type { HeldRole } from '../../../auth/roles.ts'
import { deviceRightsOf, rightsOf, type Right } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { fetchMethod } from '../../../store/access/authentication-methods.ts'
import type { Backing } from '../../../store/access/bearers.ts'
import { fetchGrants } from '../../../store/access/grants.ts'
import { fetchUnitsWithin } from '../../../store/model/units-within.ts'
import { findPrincipal, type Principal } from '../../../store/access/principals.ts'
import { fetchRightsVersion } from '../../../store/domains.ts'
import { ACCOUNT_TYPES } from '../accounts/accounts.ts'
import { statusOf } from '../accounts/status.ts'
import type { Actor } from './actor.ts'
import { GrantBook } from '../../../records/types/grant-book.ts'
import { organizationOf } from '../../../records/types/membership.ts'
import { ADMINISTRATOR, isStandingOperator, rightsHeld } from './make-actor.ts'
import { rightsAllowedBy, scopesAllowedBy } from './method-scopes.ts'

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
  const method = actor.methodUuid === null ? null : await fetchMethod(sql, domainId, actor.methodUuid)
  return coversAll(await rightsNow(sql, domainId, actor, method, principal), actor)
}

/** The scopes of the token that its authentication method still allows, by which a rule lets in and gives rights, too. */
function scopesNow(actor: Actor, method: Backing['method']): readonly string[] {
  const { account, methodUuid, scopes } = actor
  return methodUuid === null || account === null ? scopes : (scopesAllowedBy(method, account, actor) ?? [])
}

/** Without roles, scopes alone give the rights of devices, and of machine users that a rule let in. */
async function rightsNow(
  sql: Sql,
  domainId: number,
  actor: Actor,
  method: Backing['method'],
  principal: Principal,
): Promise<Rights> {
  const scopes = scopesNow(actor, method)
  if (actor.isDevice) return { rights: deviceRightsOf(scopes), rightsWithin: new Map() }
  if (actor.grantee === null) return { rights: rightsOf(scopes), rightsWithin: new Map() }
  const roles = await rolesNow(sql, domainId, actor, principal)
  return rightsHeld(roles, rightsAllowedBy(method, scopes), (keys) => fetchUnitsWithin(sql, domainId, keys))
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
