import type { Right } from '../auth/scopes.ts'
import { acting } from '../platform/access/grants/actor.ts'
import { contextOf } from '../server/request-context.ts'
import type { Visit } from './page.ts'

/**
 * The same look for a part of a page that needs another right, restricted to where that right counts; null where the
 * person does not have it.
 */
export function withRight(visit: Visit, right: Right): Visit | null {
  const { caller, context } = visit
  if (!caller.rights.has(right) && !caller.rightsWithin.has(right)) return null
  const actor = acting(caller, right)
  return { ...visit, actor, context: contextOf(context, actor) }
}
