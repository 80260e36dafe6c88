import { carryOutApply } from '../../platform/imports/applying/carry-out-apply.ts'
import type { ApplyRequest } from '../../platform/imports/applying/apply-import.ts'
import type { Apply } from '../../platform/imports/history/applies.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import type { NoteAccessChange } from '../access-log.ts'

/** Carries out an apply and logs it with the number of changed grants. A repeated apply is logged again. */
export async function applyAndNote(
  context: DomainContext,
  request: ApplyRequest,
  note: NoteAccessChange,
): Promise<Apply> {
  const apply = await carryOutApply(context, request)
  const { access: grants } = apply.summary
  if (typeof grants === 'number' && grants > 0) note('grants applied', { target: apply.uuid, grants })
  return apply
}
