import type { RecordBody } from '../../../records/record-type.ts'

const STATUSES = ['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'] as const

/** Only ACTIVATED records work (semantics, section 10). */
export type Status = (typeof STATUSES)[number]

/** A body without one cannot be: status has a default. If it is one, it does not work. */
export function statusOf({ status }: RecordBody): Status {
  return STATUSES.find((known) => known === status) ?? 'DEACTIVATED'
}
