import type { ViolationCode } from '../../datapoints/rules/violation.ts'

/** Contract, section 4: part of what clients rely on. */
export interface BatchError {
  /** Of the element, or of its field: `/17/value`. */
  readonly pointer: string
  readonly code: ErrorOfBatch
  readonly detail: string
  /** Whether the same element may be taken later, though nobody corrects it. */
  readonly retryable: boolean
  /** The place that has the same series and time. */
  readonly sameAs?: string
}

export type ErrorOfBatch =
  ViolationCode | 'not-allowed' | 'not-settable' | 'repeated-timestamp' | 'unknown-setpoint' | 'wrong-state'

/** Time heals a clock, and who switched something off may switch it on again. */
const HEALING: ReadonlySet<ErrorOfBatch> = new Set<ErrorOfBatch>(['timestamp-ahead', 'deactivated'])

export function isRetryable(code: ErrorOfBatch): boolean {
  return HEALING.has(code)
}

/** So many are listed; the others are counted. */
export const MOST_LISTED = 100

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
