import { describeValue, quote } from '../schema-findings/schema-words.ts'
import { isWireTime } from './wire-time.ts'

/** The reason why a datapoint is rejected. Clients rely on these codes. */
export type ViolationCode =
  | 'unknown-system'
  | 'unknown-component'
  | 'unknown-service'
  | 'unknown-characteristic'
  | 'not-supported'
  | 'archived'
  | 'deactivated'
  | 'wrong-type'
  | 'out-of-bounds'
  | 'off-step'
  | 'unknown-option'
  | 'schema-mismatch'
  | 'timestamp-format'
  | 'timestamp-unit'
  | 'timestamp-ahead'
  | 'timestamp-too-old'
  | 'missing-field'
  | 'unknown-field'
  | 'null-value'

export interface Violation {
  readonly code: ViolationCode
  readonly detail: string
}

/** Distinguishes a violation from a stored value or time, which is never an object. */
export function isViolation(answer: number | bigint | boolean | string | Violation): answer is Violation {
  return typeof answer === 'object'
}

/** The violation of a value with a wrong type. `expected` names the right one. */
export function refuseType(value: unknown, expected: string): Violation {
  if (value === null)
    return { code: 'null-value', detail: `null is no value: send ${expected}, or leave the point out` }
  if (value === undefined) return { code: 'missing-field', detail: `the value is missing: it must be ${expected}` }
  return { code: 'wrong-type', detail: `the value must be ${expected}, but is ${describe(value)}` }
}

/** A value from a client, in words. */
export function describe(value: unknown): string {
  if (value === Infinity || value === -Infinity)
    return 'infinite, or beyond 1.8e308, which is the most that a number can be'
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${String(value)}`
  if (value instanceof Uint8Array) return 'binary data'
  if (isWireTime(value)) return 'a MessagePack timestamp'
  return describeValue(value, true)
}

/** A value for the middle of a sentence. A long text is shortened. */
export function shown(value: number | bigint | string): string {
  return typeof value === 'string' ? quote(value) : String(value)
}
