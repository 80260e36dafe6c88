import type { Json } from '../../lib/json.ts'
import type { WorkBudget } from '../../records/value-schema/work-budget.ts'
import type { Violation } from './violation.ts'

/** How the values of one series are kept. */
export type ValueKind = 'float' | 'integer' | 'boolean' | 'text'

/** An integer is a number where that is exact and a bigint beyond. */
export type StoredValue = number | bigint | boolean | string

/** What the values of one characteristic may be. */
export interface ValueRules {
  readonly kind: ValueKind
  /**
   * Called for every point: it neither throws nor allocates for the plain data types. Throws where checking costs more
   * than is left of the batch's budget.
   */
  accept(value: unknown, budget?: WorkBudget): StoredValue | Violation
  /** A stored value as the API shows it. */
  show(stored: StoredValue): Json
}
