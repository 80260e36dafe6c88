import { kindOf } from '../../records/data-types/data-type.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { Change, GuardCode, StoredExample } from '../plan.ts'

// The definition of a record tells what a change may do to stored data. The data itself tells whether it does.

/** The possible effects of a change on the data of its record, in words; null if there is none. */
interface DataEffects {
  readonly retypes: string | null
  readonly narrows: string | null
  readonly relabels: string | null
  /** The reason why more data would be refused. */
  readonly strands: string | null
}

/** The old and the new definition of values. Each stored value is checked with them. */
export interface QuestionedValues {
  readonly before: RecordBody
  readonly after: RecordBody
  /** Whether the later definition may refuse values that fitted before. If not, points are only counted. */
  readonly mayRefuse: boolean
}

/** A question about the data behind a record that changes. */
export interface DataQuestion extends RecordKey {
  /** Given if each value must be checked. Then the answer counts, one by one, those that fitted and no longer fit. */
  readonly values?: QuestionedValues
  /** The guards that depend on the answer and are not acknowledged, so that they may stop the plan. */
  readonly open: readonly GuardCode[]
}

export interface DataAnswer {
  readonly points: number
  /** The number of systems that have such points. */
  readonly systems: number
  /** Whether some of the points arrived a moment ago, so that more may follow. */
  readonly isArriving: boolean
  /** Whether each point counts once, as in a reading. If not, a point that was sent again may count twice. */
  readonly isCounted: boolean
  readonly misfits?: Misfits
}

/** The values that would no longer fit. */
export interface Misfits {
  readonly points: number
  readonly systems: number
  /** Whether counting stopped before the last value. */
  readonly isIncomplete: boolean
  /** The first of the values. */
  readonly examples: readonly StoredExample[]
}

/** The answers by the `type/key` that each record has on the platform now. */
export type DataAnswers = ReadonlyMap<string, DataAnswer>

export const NO_ANSWERS: DataAnswers = new Map()

export function dataEffects({ type, before, after }: Pick<Change, 'type' | 'before' | 'after'>): DataEffects {
  const { retypes, narrows, relabels, takesData = false } = recordType(type)
  if (before === null || after === null) return { retypes: null, narrows: null, relabels: null, strands: null }
  const [was, becomes] = [String(before['status']), String(after['status'])]
  return {
    strands: takesData && was === 'ACTIVATED' && becomes !== was ? `status ${was} → ${becomes}` : null,
    retypes: retypes?.(before, after) ?? null,
    narrows: narrows?.(before, after) ?? null,
    relabels: relabels?.(before, after) ?? null,
  }
}

/** Tells whether a change can have guards about data, provided that there is data. */
export function mayTripDataGuards(change: Pick<Change, 'type' | 'action' | 'before' | 'after'>): boolean {
  const { type, action, before, after } = change
  if (action === 'delete') return true
  if (before === null || after === null) return false
  const restated = recordType(type).restatesEvents?.(before, after) ?? null
  return restated !== null || Object.values(dataEffects(change)).some((effect) => effect !== null)
}

/** Tells whether both definitions store values alike, so that the later definition can read stored values. */
export function areStoredAlike(before: RecordBody, after: RecordBody): boolean {
  return kindOf(before) === kindOf(after)
}

/** The guard for the deletion of a record that has data. */
export function deletionGuard(type: RecordTypeName): 'deletes-data' | 'strands-data' {
  return recordType(type).dataOfDeleted === 'stays' ? 'strands-data' : 'deletes-data'
}
