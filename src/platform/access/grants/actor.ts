import type { Caller } from '../../../auth/require-right.ts'
import type { Right } from '../../../auth/scopes.ts'
import type { Grantee } from '../../../records/types/grant.ts'
import type { Account } from '../accounts/account.ts'

/** On whose behalf a request is made, and what it may do. */
export interface Actor extends Caller {
  /** As history and drift show it. */
  readonly name: string
  /** Null for the operator of an embedded platform: nobody had to sign in. */
  readonly account: Account | null
  /** Of the application that acts for the account; null where there is none. */
  readonly clientId: string | null
  /** To whom grants are given; null where none is asked for: devices, rules, the operator of an embedded platform. */
  readonly grantee: Grantee | null
  /** Of a device's account: the one system whose data it may touch; null where it is nobody's device. */
  readonly systemUuid: string | null
  /** Of rights that do not count in the whole domain: the uuids of the organizations and units within which they do. */
  readonly rightsWithin: ReadonlyMap<Right, readonly string[]>
  /** The uuids of the organizations and units whose systems may be touched in what is done now; null: all. */
  readonly units: readonly string[] | null
}

/** By what the places of an account are counted: a uuid, which is one in all domains. */
export function accountOf({ account, name }: Pick<Actor, 'account' | 'name'>): string {
  return account?.uuid ?? name
}

/**
 * Who asks for parts of an answer, which need no right of their own: whoever has a role in the whole domain sees them
 * there, and everybody else within the organizations and units where any of their rights counts.
 */
export function actingForParts(actor: Actor): Actor {
  if (actor.rightsWithin.size === 0 || actor.roles.some(({ within }) => within === null)) return actor
  return { ...actor, units: [...new Set([...actor.rightsWithin.values()].flat())] }
}

/** Whether an actor may change who may sign in and who may do what: record by record, or by import. */
export function mayChangeAccess({ rights }: Pick<Actor, 'rights'>): boolean {
  return rights.has('access:admin') || rights.has('access:apply')
}

/** Whether what may be touched is the same for both. */
export function hasSameReach(now: Pick<Actor, 'systemUuid' | 'units'>, before: Pick<Actor, 'systemUuid' | 'units'>) {
  return now.systemUuid === before.systemUuid && isSameSet(now.units, before.units)
}

function isSameSet(some: Actor['units'], others: Actor['units']): boolean {
  if (some === null || others === null) return some === others
  return new Set(some).symmetricDifference(new Set(others)).size === 0
}

/** The same actor doing what a right is needed for: bound to where that right counts. */
export function acting(actor: Actor, right: Right): Actor {
  return actor.rights.has(right) ? actor : { ...actor, units: actor.rightsWithin.get(right) ?? [] }
}
