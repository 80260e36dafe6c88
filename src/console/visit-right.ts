import type { Right } from '../auth/scopes.ts'
import { acting } from '../platform/access/grants/actor.ts'
import { reaches } from '../platform/systems/reach.ts'
import type { System } from '../platform/systems/systems.ts'
import { contextOf } from '../server/request-context.ts'
import type { Visit } from './page.ts'

/**
 * The same visit for a part of a page that needs another right, restricted to where that right counts; null if the
 * person does not have the right.
 */
export function withRight(visit: Visit, right: Right): Visit | null {
  const { caller, context } = visit
  if (!caller.rights.has(right) && !caller.rightsWithin.has(right)) return null
  const actor = acting(caller, right)
  return { ...visit, actor, context: contextOf(context, actor) }
}

/**
 * Whether the right counts for the system. A person may see a system and still have this right only in another
 * organization.
 */
export function hasRightAt(visit: Visit, right: Right, system: System): boolean {
  const who = withRight(visit, right)?.actor
  return who !== undefined && reaches(who, { ...system, systemUuid: system.uuid })
}
