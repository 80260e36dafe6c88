import type { Sql } from '../../db/sql.ts'
import { nameSome } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { accessChanges, changesAccess, type PlanWithPlaces } from '../../plan/guards/changes-access.ts'
import { recordId } from '../../records/record-id.ts'
import type { DomainContext } from '../domain-context.ts'

const MOST_NAMED = 5

/**
 * Fails where a plan changes who may sign in or who may do what. Documents are applied as a whole or not at all, so this
 * is asked of what is planned and not of what a document holds. `isManagedOtherwise`: whether grants come to be managed,
 * or are not managed any more, though the plan itself does not say so.
 */
export async function refuseAccessChanges(
  sql: Sql,
  context: DomainContext,
  planned: PlanWithPlaces,
  isManagedOtherwise: boolean,
): Promise<void> {
  if (changesAccess(planned) || isManagedOtherwise) await refuseUnlessAllowed(sql, context, planned)
}

/** The same for a change of one record, which leaves alone what is managed. */
export async function refuseAccessChange(sql: Sql, context: DomainContext, planned: PlanWithPlaces): Promise<void> {
  if (accessChanges(planned).length > 0) await refuseUnlessAllowed(sql, context, planned)
}

async function refuseUnlessAllowed(sql: Sql, context: DomainContext, planned: PlanWithPlaces): Promise<void> {
  if ((await context.mayChangeAccess?.(sql)) !== false) return
  const named = nameSome(accessChanges(planned).map(recordId), MOST_NAMED) || 'whether grants are managed'
  const message = `the plan changes who may sign in or who may do what (${named}): that needs the role administrator`
  throw new HoldfastError('FORBIDDEN', message, { details: accessChanges(planned) })
}
