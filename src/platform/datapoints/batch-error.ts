import type { ViolationCode } from '../../datapoints/violation.ts'

/** Contract, section 4: part of what clients rely on. */
export interface BatchError {
  /** Of the element, or of its field: `/17/value`. */
  readonly pointer: string
  readonly code: ViolationCode | 'not-allowed' | 'not-settable' | 'unknown-setpoint' | 'wrong-state'
  readonly detail: string
  /** Whether the same batch may be taken later. */
  readonly retryable: boolean
}

/** So many are listed; the others are counted. */
export const MOST_LISTED = 100

export class BatchErrors {
  readonly listed: BatchError[] = []
  count = 0

  add(index: number, field: string | null, { code, detail }: Pick<BatchError, 'code' | 'detail'>): void {
    this.count += 1
    if (this.listed.length >= MOST_LISTED) return
    this.listed.push({ pointer: field === null ? `/${index}` : `/${index}/${field}`, code, detail, retryable: false })
  }
}
