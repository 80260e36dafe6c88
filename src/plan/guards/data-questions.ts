import { referencesOf } from '../../records/references.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { type Draft, liveKey } from '../compare/draft-changes.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordInUse } from '../live-state.ts'
import type { GuardCode, Impact } from '../plan.ts'
import { areStoredAlike, dataEffects, deletionGuard, mayTripDataGuards, type DataQuestion } from './stored-data.ts'

/**
 * The records whose attached data matters. If data outlives its record, the data is reported for the owner that is
 * deleted with the record. With `onlyGuards`, it lists only the records whose data decides about a guard.
 */
export function recordsInUse(drafts: readonly Draft[], onlyGuards = false): RecordInUse[] {
  const deleted = new Set(drafts.filter(({ action }) => action === 'delete').map(recordId))
  const goesAlong = ({ type, key, action, before }: Draft) =>
    action === 'delete' &&
    before !== null &&
    recordType(type).dataOfDeleted === 'stays' &&
    referencesOf(recordType(type), key, before).some((owner) => deleted.has(recordId(owner)))
  const matters = (draft: Draft) => !onlyGuards || mayTripDataGuards(draft)
  return drafts
    .filter((draft) => draft.action !== 'create' && !goesAlong(draft) && matters(draft))
    .map((draft) => ({ ...liveKey(draft), isDeleted: draft.action === 'delete' }))
}

/** The questions that the stored data must answer before the guards of these changes are known. */
export function dataQuestions(
  drafts: readonly Draft[],
  impacts: ReadonlyMap<string, Impact>,
  isOpen: (change: RecordKey, code: GuardCode) => boolean,
): DataQuestion[] {
  return drafts.flatMap((draft) => {
    const record = liveKey(draft)
    if (draft.action === 'create' || (impacts.get(recordId(record))?.datapoints ?? 0) === 0) return []
    const { before, after } = draft
    const { retypes, narrows, relabels, strands } = dataEffects(draft)
    const asksValues = retypes !== null || narrows !== null
    const codes: GuardCode[] = [
      ...(draft.action === 'delete' ? [deletionGuard(draft.type)] : []),
      ...(asksValues ? ['invalidates-data' as const] : []),
      ...(relabels === null ? [] : ['relabels-data' as const]),
      ...(strands === null ? [] : ['strands-data' as const]),
    ]
    if (codes.length === 0) return []
    const isLooked =
      (asksValues || relabels !== null) && before !== null && after !== null && areStoredAlike(before, after)
    return [
      {
        ...record,
        open: codes.filter((code) => isOpen(draft, code)),
        ...(isLooked && { values: { before, after, mayRefuse: asksValues } }),
      },
    ]
  })
}
