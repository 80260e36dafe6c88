import type { ViolationCode } from '../../../records/values/violation.ts'
import { MOST_LISTED } from '../../systems/input-problems.ts'

/** An error of one element of a batch. Clients rely on its form. */
export interface BatchError {
  /** The JSON Pointer of the element or its field: `/17/value`. */
  readonly pointer: string
  readonly code: ErrorOfBatch
  readonly detail: string
  /** Whether the same element may be accepted later without a correction. */
  readonly retryable: boolean
  /** The pointer of the element with the same series and time. */
  readonly sameAs?: string
}

export type ErrorOfBatch =
  | ViolationCode
  | 'not-allowed'
  | 'not-settable'
  | 'repeated-timestamp'
  | 'unknown-setpoint'
  | 'unknown-unit'
  | 'wrong-state'

/** Errors that may disappear without a correction: a clock may be set right, and a record may be activated again. */
const HEALING: ReadonlySet<ErrorOfBatch> = new Set<ErrorOfBatch>(['timestamp-ahead', 'deactivated'])

export function isRetryable(code: ErrorOfBatch): boolean {
  return HEALING.has(code)
}

export class BatchErrors {
  readonly listed: BatchError[] = []
  count = 0

  add(index: number, field: string | null, error: Omit<BatchError, 'pointer' | 'retryable'>): void {
    this.count += 1
    if (this.listed.length >= MOST_LISTED) return
    const { code, detail, sameAs } = error
    const pointer = field === null ? `/${index}` : `/${index}/${field}`
    const other = sameAs === undefined ? {} : { sameAs }
    this.listed.push({ pointer, code, detail, retryable: isRetryable(code), ...other })
  }
}
