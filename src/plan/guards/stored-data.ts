import { kindOf } from '../../datapoints/rules/kind-of.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { Change, GuardCode, StoredExample } from '../plan.ts'

// A change of a definition says what it may do to stored data; the data says whether it does.

/** What a change may do to the data behind its record, each in words. */
export interface DataEffects {
  readonly retypes: string | null
  readonly narrows: string | null
  readonly relabels: string | null
}

/** What is asked about the data behind a record that changes. */
export interface DataQuestion extends RecordKey {
  /** Given where each value is to be looked at: those that fitted before and do not fit after are counted. */
  readonly values?: { readonly before: RecordBody; readonly after: RecordBody }
  /** The guards that the answer decides about and that nobody has acknowledged: these may stop the plan. */
  readonly open: readonly GuardCode[]
}

export interface DataAnswer {
  readonly points: number
  /** The number of systems that the points are of. */
  readonly systems: number
  /** Whether some of the points arrived a moment ago, so that more may come. */
  readonly isArriving: boolean
  readonly misfits?: Misfits
}

/** The values that would no longer fit. */
export interface Misfits {
  readonly points: number
  readonly systems: number
  /** Whether counting stopped before the last value. */
  readonly isIncomplete: boolean
  /** The first of them. */
  readonly examples: readonly StoredExample[]
}

/** The answers by the id that each record has on the platform now. */
export type DataAnswers = ReadonlyMap<string, DataAnswer>

export const NO_ANSWERS: DataAnswers = new Map()

export function dataEffects({ type, before, after }: Pick<Change, 'type' | 'before' | 'after'>): DataEffects {
  const { retypes, narrows, relabels } = recordType(type)
  if (before === null || after === null) return { retypes: null, narrows: null, relabels: null }
  return {
    retypes: retypes?.(before, after) ?? null,
    narrows: narrows?.(before, after) ?? null,
    relabels: relabels?.(before, after) ?? null,
  }
}

/** Whether values of both definitions are stored alike, and so are read as the later one. */
export function areStoredAlike(before: RecordBody, after: RecordBody): boolean {
  return kindOf(before) === kindOf(after)
}

/** What is stopped where data is behind a record that is deleted. */
export function deletionGuard(type: RecordTypeName): 'deletes-data' | 'strands-data' {
  return recordType(type).dataOfDeleted === 'stays' ? 'strands-data' : 'deletes-data'
}
