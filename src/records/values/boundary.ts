import type { Json } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'

export type Boundary = string | number

export const BOUNDARY_FIELDS = ['boundaryMin', 'boundaryMax'] as const

export type BoundaryField = (typeof BOUNDARY_FIELDS)[number]

/** The form of the boundaries of a data type. A `Limit` is a boundary in a form that can be compared with values. */
export interface BoundaryForm<Limit = unknown> {
  /** The form in words, for messages. */
  readonly says: string
  /** Null if no value can be compared with the boundary. */
  read(boundary: Boundary): Limit | null
  isAbove(one: Limit, other: Limit): boolean
  /** The mistake in an unreadable boundary, for the end of the message. */
  flaw?(boundary: Boundary): string
  /** Normalises equal boundaries to one form; left out if there is only one. */
  canonical?(boundary: Json): Json
  /** Whether a boundary may be an integer of any size, which is a text beyond 2^53. */
  readonly isWhole?: boolean
}

/** A boundary for comparison with values; null if there is none. */
export function limitIn<Limit>(
  form: BoundaryForm<Limit>,
  characteristic: RecordBody,
  field: BoundaryField,
): Limit | null {
  const boundary = characteristic[field]
  return typeof boundary === 'string' || typeof boundary === 'number' ? form.read(boundary) : null
}
