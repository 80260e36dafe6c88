import type { Apply } from '../history/applies.ts'
import { applyImport, type ApplyRequest } from './apply-import.ts'
import { outcomeOfError } from './apply-outcome.ts'
import type { DomainContext } from '../../domain-context.ts'

/** Carries out an apply, signals it, and counts its result. */
export async function carryOutApply(context: DomainContext, request: ApplyRequest): Promise<Apply> {
  try {
    const apply = await applyImport(context, request)
    context.changes?.signal(context.domain.id, 'applies')
    context.noteApply?.(apply.recorded ? 'done' : 'unchanged')
    return apply
  } catch (error) {
    context.noteApply?.(outcomeOfError(error))
    throw error
  }
}
