import { isGithubActions, rulesOfRepository } from '../../../auth/github-actions.ts'
import { rulesOf, storedConfiguration } from '../../../auth/method-configuration.ts'
import { OWN_RIGHTS, rightsInDomain, unitsGiving, type HeldRole } from '../../../auth/roles.ts'
import { deviceRightsOf, rightsOf, type Right } from '../../../auth/scopes.ts'
import type { Grantee } from '../../../records/types/grant.ts'
import type { AccountSigner, Backing, Standing } from '../../../store/access/bearers.ts'
import type { Account } from '../accounts/account.ts'
import type { Actor } from './actor.ts'
import { OPERATOR } from '../accounts/bootstrap.ts'
import { organizationOf } from '../../../records/types/user.ts'
import type { GrantKeeper } from './grant-keeper.ts'
import { rightsAllowedBy } from './method-scopes.ts'

/** A valid bearer token. Its account and everything else behind it is ACTIVATED. */
export interface GoodBearer {
  readonly domainId: number
  readonly account: Account
  /** The scopes that the application and the method behind the token still allow. */
  readonly scopes: readonly string[]
  readonly bearer: Pick<Standing, 'clientId' | 'methodUuid' | 'fits' | 'rule'> &
    Pick<Backing, 'systemUuid' | 'rightsVersion' | 'method'> & { readonly account: AccountSigner }
}

export const ADMINISTRATOR: readonly HeldRole[] = [{ role: 'administrator', within: null }]

/** Makes the actor of a valid token. Its rights are those that its scopes, method and grants all allow. */
export async function makeActor(grants: GrantKeeper, good: GoodBearer): Promise<Actor> {
  const { account, scopes, bearer } = good
  const { clientId, methodUuid, rule, systemUuid, rightsVersion } = bearer
  const common = { name: account.login, account, scopes, clientId, methodUuid, rule, systemUuid, rightsVersion }
  if (systemUuid !== null) return { ...common, ...withoutRoles(deviceRightsOf(scopes)), isDevice: true }
  if (isMachineByRule(good)) {
    return { ...common, ...withoutRoles(rightsOf(scopes)), isDevice: false, ...jobRulesOf(good) }
  }
  const roles = await rolesOf(grants, good)
  const unitsOf = (keys: readonly string[]) => grants.unitsWithin(good.domainId, rightsVersion, keys)
  const held = await rightsHeld(roles, rightsAllowedBy(bearer.method, scopes), unitsOf)
  return { ...common, ...held, grantee: granteeOf(account, bearer), roles, isDevice: false, units: null }
}

/** The rights that both the roles and the token allow, in the whole domain and within units. */
export async function rightsHeld(
  roles: readonly HeldRole[],
  allowed: ReadonlySet<Right>,
  unitsOf: (keys: readonly string[]) => Promise<readonly string[]>,
): Promise<Pick<Actor, 'rights' | 'rightsWithin'>> {
  const rights = allowed.intersection(rightsInDomain(roles).union(new Set(OWN_RIGHTS)))
  return { rights, rightsWithin: await unitsByRight(roles, allowed.difference(rights), unitsOf) }
}

async function unitsByRight(
  roles: readonly HeldRole[],
  rights: ReadonlySet<Right>,
  unitsOf: (keys: readonly string[]) => Promise<readonly string[]>,
): Promise<Actor['rightsWithin']> {
  const found = new Map<Right, readonly string[]>()
  if (roles.every(({ within }) => within === null)) return found
  for (const right of rights) {
    const keys = unitsGiving(roles, right)
    if (keys.length > 0) found.set(right, await unitsOf(keys))
  }
  return found
}

function withoutRoles(
  rights: ReadonlySet<Right>,
): Pick<Actor, 'grantee' | 'roles' | 'rights' | 'rightsWithin' | 'units'> {
  return { grantee: null, roles: [], rights, rightsWithin: new Map(), units: null }
}

/**
 * A rule that names a machine user and its scopes is a grant itself, because an administrator has written it. It
 * applies only to tokens that the rule accepted.
 */
function isMachineByRule({ account, bearer: { method } }: GoodBearer): boolean {
  return account.kind === 'machine' && method?.kind === 'openid-delegated'
}

/** The rules that explain to a job why it lacks a right. They are the rules for the job's own repository only. */
function jobRulesOf({ account, bearer: { method } }: GoodBearer): Pick<Actor, 'jobRules'> {
  if (method === null) return {}
  const configuration = storedConfiguration(method.configuration)
  if (!isGithubActions(configuration.issuer)) return {}
  return { jobRules: rulesOfRepository(rulesOf(configuration), account.login) }
}

export function isStandingOperator({ kind, login }: Pick<Account, 'kind' | 'login'>, isOfModel: boolean): boolean {
  return !isOfModel && kind === 'machine' && login === OPERATOR
}

/** The platform's own operator is administrator without a grant, so that administrators cannot lock themselves out. */
function rolesOf(grants: GrantKeeper, { domainId, account, bearer }: GoodBearer): Promise<readonly HeldRole[]> {
  if (isStandingOperator(account, bearer.account.isOfModel)) return Promise.resolve(ADMINISTRATOR)
  return grants.rolesOf(domainId, bearer.rightsVersion, granteeOf(account, bearer))
}

function granteeOf({ kind, login }: Account, { account, fits }: GoodBearer['bearer']): Grantee {
  return { kind, login, isOfModel: account.isOfModel, organization: organizationOf(account.body), fits }
}
