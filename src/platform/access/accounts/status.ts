import type { RecordBody } from '../../../records/record-type.ts'

const STATUSES = ['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'] as const

/** Only ACTIVATED records work. */
export type Status = (typeof STATUSES)[number]

/** The status of a body. Every body has one, since it has a default; a body without one would not work. */
export function statusOf({ status }: RecordBody): Status {
  return STATUSES.find((known) => known === status) ?? 'DEACTIVATED'
}
