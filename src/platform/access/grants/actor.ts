import type { Caller } from '../../../auth/require-right.ts'
import type { Right } from '../../../auth/scopes.ts'
import { setOf } from '../../../lib/set-of.ts'
import type { Grantee } from '../../../records/types/grant.ts'
import type { Account } from '../accounts/account.ts'

/** The account and the token behind a request, and their rights. */
export interface Actor extends Caller {
  /** The name that history and drift show. */
  readonly name: string
  /** Null for the operator of an embedded platform, who did not sign in. */
  readonly account: Account | null
  /** The client_id of the application that acts for the account; null if there is none. */
  readonly clientId: string | null
  /** The authentication method by which the account signed in; null if the method cannot be revoked. */
  readonly methodUuid: string | null
  /** The rule of that method that let the account in (`ruleDigest`); null if none did. */
  readonly rule: string | null
  /** The subject of grants; null if none are looked up: for devices, rules, and an embedded platform's operator. */
  readonly grantee: Grantee | null
  /** The version of the domain's rights that these values belong to; null for the operator of an embedded platform. */
  readonly rightsVersion: number | null
  /** The only system that a device's account may use; null for all other accounts. */
  readonly systemUuid: string | null
  /** For rights that do not apply to the whole domain: the uuids of the organizations and units where they apply. */
  readonly rightsWithin: ReadonlyMap<Right, readonly string[]>
  /** The uuids of the organizations and units whose systems the present operation may use; null for all. */
  readonly units: readonly string[] | null
}

/** The name under which limits count an account: a uuid, which is the same in all domains. */
export function accountOf({ account, name }: Pick<Actor, 'account' | 'name'>): string {
  return account?.uuid ?? name
}

/**
 * The actor for parts of an answer that need no right of their own. An account with a role in the whole domain sees
 * them everywhere. Any other account sees them within the organizations and units where any of its rights applies.
 */
export function actingForParts(actor: Actor): Actor {
  if (actor.rightsWithin.size === 0 || actor.roles.some(({ within }) => within === null)) return actor
  // Mostly the rights share one list, which may be long.
  const [units = [], ...others] = new Set(actor.rightsWithin.values())
  return { ...actor, units: others.length === 0 ? units : [...new Set([units, ...others].flat())] }
}

/** Tells whether an actor may change accounts and their rights, record by record or by import. */
export function mayChangeAccess({ rights }: Pick<Actor, 'rights'>): boolean {
  return rights.has('access:admin') || rights.has('access:apply')
}

/** Tells whether both actors may use the same systems. */
export function hasSameReach(now: Pick<Actor, 'systemUuid' | 'units'>, before: Pick<Actor, 'systemUuid' | 'units'>) {
  return now.systemUuid === before.systemUuid && isSameSet(now.units, before.units)
}

/** The units of each open subscription are compared every second. Mostly they are the same list. */
function isSameSet(some: Actor['units'], others: Actor['units']): boolean {
  if (some === others || some === null || others === null) return some === others
  return setOf(some).size === setOf(others).size && setOf(some).isSubsetOf(setOf(others))
}

/** The same actor for an operation that needs a right, restricted to the units where that right applies. */
export function acting(actor: Actor, right: Right): Actor {
  return actor.rights.has(right) ? actor : { ...actor, units: actor.rightsWithin.get(right) ?? [] }
}
