import type { Json } from '../lib/json.ts'
import type { Violation } from './violation.ts'

/** How the values of one series are kept. */
export type ValueKind = 'float' | 'integer' | 'boolean' | 'text'

/** An integer is a number where that is exact and a bigint beyond. */
export type StoredValue = number | bigint | boolean | string

/** What the values of one characteristic may be. */
export interface ValueRules {
  readonly kind: ValueKind
  /** Called for every point: it neither throws nor allocates for the plain data types. */
  accept(value: unknown): StoredValue | Violation
  /** A stored value as the API shows it. */
  show(stored: StoredValue): Json
}
