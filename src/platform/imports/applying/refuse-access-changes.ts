import { nameSome } from '../../../lib/counted.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { accessChanges, changesAccess, type PlanWithGrantedUnits } from '../../../plan/guards/access-changes.ts'
import { recordId } from '../../../records/record-id.ts'
import type { DomainContext } from '../../domain-context.ts'

const MOST_NAMED = 5

/**
 * Refuses a plan that changes accounts or their rights, unless the actor may do that. Documents are applied as a whole
 * or not at all, so the check covers the plan and not the document. `isManagedOtherwise` says that grants become
 * managed, or stop being managed, although the plan does not show it.
 */
export function refuseAccessChanges(
  context: DomainContext,
  planned: PlanWithGrantedUnits,
  isManagedOtherwise: boolean,
): void {
  if (changesAccess(planned) || isManagedOtherwise) refuseUnlessAllowed(context, planned)
}

/** The check for a change of a single record, which never changes the managed types. */
export function refuseAccessChange(context: DomainContext, planned: PlanWithGrantedUnits): void {
  if (accessChanges(planned).length > 0) refuseUnlessAllowed(context, planned)
}

function refuseUnlessAllowed({ mayChangeAccess }: DomainContext, planned: PlanWithGrantedUnits): void {
  if (mayChangeAccess !== false) return
  const named = nameSome(accessChanges(planned).map(recordId), MOST_NAMED) || 'whether grants are managed'
  const message = `the plan changes access (${named}): that needs the role administrator`
  throw new HoldfastError('FORBIDDEN', message, { details: accessChanges(planned) })
}
