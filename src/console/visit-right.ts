import type { Right } from '../auth/scopes.ts'
import { acting } from '../platform/access/grants/actor.ts'
import { reaches } from '../platform/systems/reach.ts'
import type { System } from '../platform/systems/systems.ts'
import { contextOf } from '../server/request-context.ts'
import type { Visit } from './page.ts'

/**
 * The same look for a part of a page that needs another right, restricted to where that right counts; null if the
 * person does not have it.
 */
export function withRight(visit: Visit, right: Right): Visit | null {
  const { caller, context } = visit
  if (!caller.rights.has(right) && !caller.rightsWithin.has(right)) return null
  const actor = acting(caller, right)
  return { ...visit, actor, context: contextOf(context, actor) }
}

/** Tells whether the right counts at the system: somebody may see it whose right counts in another organization alone. */
export function hasRightAt(visit: Visit, right: Right, system: System): boolean {
  const who = withRight(visit, right)?.actor
  return who !== undefined && reaches(who, { ...system, systemUuid: system.uuid })
}
