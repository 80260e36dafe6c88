import { analyzeRecords } from '../../../store/model/records.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { Apply } from '../history/applies.ts'
import { applyImport, type ApplyRequest } from './apply-import.ts'
import { outcomeOfError } from './apply-outcome.ts'

/** An apply that creates this many records makes PostgreSQL's statistics wrong. */
const LARGE = 1_000

/** Carries out an apply, signals it, and counts its result. */
export async function carryOutApply(context: DomainContext, request: ApplyRequest): Promise<Apply> {
  try {
    const apply = await applyImport(context, request)
    context.changes?.signal(context.domain.id, 'applies')
    context.noteApply?.(apply.recorded ? 'done' : 'unchanged')
    if (apply.recorded && Number(apply.summary['create']) >= LARGE && context.database.isSingle !== true)
      // The apply is committed, even if the statistics fail. They may wait for a VACUUM, so nothing awaits them.
      void analyzeRecords(context.database).catch(() => undefined)
    return apply
  } catch (error) {
    context.noteApply?.(outcomeOfError(error))
    throw error
  }
}
