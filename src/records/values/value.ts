import type { Json } from '../../lib/json.ts'
import type { WorkBudget } from '../value-schema/work-budget.ts'
import type { Violation } from './violation.ts'

/** How the values of a series are stored. */
export type ValueKind = 'float' | 'integer' | 'boolean' | 'text'

/** A stored value. An integer is a number if that is exact, and otherwise a bigint. */
export type StoredValue = number | bigint | boolean | string

/** The rules for the values of one characteristic. */
export interface ValueRules<Kind extends ValueKind = ValueKind> {
  readonly kind: Kind
  /**
   * Checks one value. For the plain data types it neither throws nor allocates, because it is called for every point.
   * It throws if the check would exceed the budget of the batch.
   */
  accept(value: unknown, budget?: WorkBudget): StoredValue | Violation
  /** The judgement of all numbers of a range; null if it differs. Left out if ranges cannot be judged as a whole. */
  judgeRange?(least: number | bigint, most: number | bigint): 'accepted' | 'refused' | null
  /** The form of a stored value in the API. */
  show(stored: StoredValue): Json
}

/** Writes a number as JSON text. JSON.stringify would lose the sign of -0. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
