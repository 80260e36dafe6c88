import { nameSome } from '../lib/counted.ts'
import { HoldfastError } from '../lib/errors.ts'
import { accessChanges, changesAccess, type PlanWithPlaces } from '../plan/changes-access.ts'
import { idOf } from '../plan/live-state.ts'

const MOST_NAMED = 5

/**
 * Fails where a plan changes who may sign in or who may do what. Documents are applied as a whole or not at all, so this
 * is asked of what is planned and not of what a document holds. `isManagedOtherwise`: whether grants come to be managed,
 * or are not managed any more, though the plan itself does not say so.
 */
export function refuseAccessChanges(planned: PlanWithPlaces, isManagedOtherwise = false): void {
  if (!changesAccess(planned) && !isManagedOtherwise) return
  refuse(planned)
}

/** The same for a change of one record, which leaves alone what is managed. */
export function refuseAccessChange(planned: PlanWithPlaces): void {
  if (accessChanges(planned).length > 0) refuse(planned)
}

function refuse(planned: PlanWithPlaces): never {
  const named = nameSome(accessChanges(planned).map(idOf), MOST_NAMED) || 'whether grants are managed'
  const message = `the plan changes who may sign in or who may do what (${named}): that needs the role administrator`
  throw new HoldfastError('FORBIDDEN', message, { details: accessChanges(planned) })
}
