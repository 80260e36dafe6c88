import type { Right } from '../auth/scopes.ts'
import { acting } from '../platform/access/grants/actor.ts'
import { reaches } from '../platform/systems/reach.ts'
import type { System } from '../platform/systems/systems.ts'
import { contextOf } from '../server/request-context.ts'
import type { Visit } from './page.ts'

/** The same visit for a part of a page by another right, restricted to where that counts; null without the right. */
export function withRight(visit: Visit, right: Right): Visit | null {
  const { caller, context } = visit
  if (!caller.rights.has(right) && !caller.rightsWithin.has(right)) return null
  const actor = acting(caller, right)
  return { ...visit, actor, context: contextOf(context, actor) }
}

/** Whether the right counts for the system. A person who sees it may have this right only elsewhere. */
export function hasRightAt(visit: Visit, right: Right, system: System): boolean {
  const who = withRight(visit, right)?.actor
  return who !== undefined && reaches(who, { ...system, systemUuid: system.uuid })
}
