import type { HeldRole } from '../../../auth/roles.ts'
import { deviceRightsOf, rightsOf } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { GrantBook } from '../../../records/types/grant-book.ts'
import { organizationOf } from '../../../records/types/user.ts'
import { type Authority, fetchGrants } from '../../../store/access/grants.ts'
import { fetchMethod } from '../../../store/access/authentication-methods.ts'
import { findPrincipal, type Principal } from '../../../store/access/principals.ts'
import { fetchUnitsWithin } from '../../../store/model/units.ts'
import { ACCOUNT_TYPES, toAccount } from '../accounts/accounts.ts'
import { fetchClient } from '../clients/clients.ts'
import type { Actor } from './actor.ts'
import { ADMINISTRATOR, isStandingOperator, rightsHeld } from './make-actor.ts'
import { rightsAllowedBy, scopesAllowedBy, scopesAllowedByClient } from './method-scopes.ts'

type Rights = Pick<Actor, 'rights' | 'rightsWithin'>

const NONE: Rights = { rights: new Set(), rightsWithin: new Map() }

/** Null for the operator of an embedded platform, who always has all rights. */
export function authorityOf(actor: Actor): Authority | null {
  const { account, clientId: client, methodUuid: method, rule, scopes, grantee, isDevice } = actor
  return account && { account: account.uuid, client, method, rule, scopes, fits: grantee?.fits ?? null, isDevice }
}

/** The rights of an authority in this transaction. It has none if something that it depends on has ended. */
export async function rightsNow(sql: Sql, domainId: number, authority: Authority): Promise<Rights> {
  const { account: uuid, client: clientId, method: methodUuid, fits, isDevice } = authority
  const principal = await findPrincipal(sql, domainId, ACCOUNT_TYPES, uuid)
  if (principal === null) return NONE
  const account = toAccount(principal)
  if (account.status !== 'ACTIVATED') return NONE
  const method = methodUuid === null ? null : await fetchMethod(sql, domainId, methodUuid)
  const client = clientId === null ? null : await fetchClient(sql, domainId, clientId)
  const asked = scopesAllowedByClient({ clientId, client, method }, authority.scopes)
  const scopes =
    asked && (methodUuid === null ? asked : scopesAllowedBy(method, account, { ...authority, scopes: asked }))
  if (scopes === null) return NONE
  if (isDevice) return { rights: deviceRightsOf(scopes), rightsWithin: new Map() }
  // A machine user that a rule let in has only the rights of its scopes.
  if (fits === null) return { rights: rightsOf(scopes), rightsWithin: new Map() }
  const roles = await rolesNow(sql, domainId, principal, fits)
  return rightsHeld(roles, rightsAllowedBy(method, scopes), (keys) => fetchUnitsWithin(sql, domainId, keys))
}

async function rolesNow(
  sql: Sql,
  domainId: number,
  principal: Principal,
  fits: readonly string[],
): Promise<readonly HeldRole[]> {
  const { isOfModel, body } = principal
  const { kind, login } = toAccount(principal)
  if (isStandingOperator({ kind, login }, isOfModel)) return ADMINISTRATOR
  const grantee = { kind, login, fits, isOfModel, organization: organizationOf(body) }
  return new GrantBook(await fetchGrants(sql, domainId)).heldBy(grantee)
}
