import type { Json } from '../../lib/json.ts'
import type { WorkBudget } from '../value-schema/work-budget.ts'
import type { Violation } from './violation.ts'

/** How the values of a series are stored. */
export type ValueKind = 'float' | 'integer' | 'boolean' | 'text'

/** A stored value. An integer is a number where that is exact, and otherwise a bigint. */
export type StoredValue = number | bigint | boolean | string

/** The rules for the values of one characteristic. */
export interface ValueRules<Kind extends ValueKind = ValueKind> {
  readonly kind: Kind
  /**
   * Checks one value. For the plain data types it neither throws nor allocates, because it is called for every point.
   * It throws where checking costs more than is left of the batch's budget.
   */
  accept(value: unknown, budget?: WorkBudget): StoredValue | Violation
  /**
   * The judgement about all numbers of a range, null if it accepts some and rejects others. Left out if no range can be
   * judged as a whole.
   */
  judgeRange?(least: number | bigint, most: number | bigint): 'accepted' | 'refused' | null
  /** A stored value in the form in which the API shows it. */
  show(stored: StoredValue): Json
}

/** Writes a number as JSON text. JSON.stringify would write -0 as 0 and so lose its sign. */
export function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
