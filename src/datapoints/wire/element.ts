import { isObject } from '../../lib/json.ts'
import { describe, type Violation } from '../../records/values/violation.ts'

/** The fields that say where a datapoint belongs. */
export const UUID_FIELDS = ['characteristic_uuid', 'component_uuid', 'service_uuid', 'system_uuid'] as const

export type UuidField = (typeof UUID_FIELDS)[number]

/** A datapoint as the client sent it. Its fields are present, but only the UUIDs have been checked. */
export interface Element extends Readonly<Record<UuidField, string>> {
  readonly value: unknown
  readonly timestamp?: unknown
}

interface ElementProblem {
  /** The field to which the pointer of the error leads; null for the whole element. */
  readonly field: string | null
  readonly violation: Violation
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Finds the first mistake in an element's shape or null. A caller with UUIDs needs only `hasOtherFields`. */
export function elementProblem(element: unknown, what: 'datapoint' | 'setpoint' = 'datapoint'): ElementProblem | null {
  if (!isObject(element) || element instanceof Uint8Array) {
    return problem(null, 'wrong-type', `a ${what} must be an object, but is ${describe(element)}`)
  }
  const missing = UUID_FIELDS.filter((field) => element[field] === undefined)
  if (missing.length > 0) return missingUuids(missing, what)
  for (const field of UUID_FIELDS) {
    const found = uuidProblem(field, element[field])
    if (found !== null) return found
  }
  if (element['value'] === undefined) return problem('value', 'missing-field', 'the value is missing')
  const other = Object.keys(element).find((field) => !isField(field))
  return other === undefined ? null : problem(other, 'unknown-field', unknownField(other, what))
}

/** Tells whether an element has fields that no datapoint has. */
export function hasOtherFields(element: object): boolean {
  for (const field in element) if (!isField(field)) return true
  return false
}

function isField(field: string): boolean {
  return field === 'value' || field === 'timestamp' || isUuidField(field)
}

export function isUuidField(field: string): field is UuidField {
  return (
    field === 'characteristic_uuid' || field === 'component_uuid' || field === 'service_uuid' || field === 'system_uuid'
  )
}

function uuidProblem(field: UuidField, value: unknown): ElementProblem | null {
  if (value === null) return problem(field, 'null-value', `${field} is null: it must be a UUID`)
  if (typeof value === 'string' && UUID.test(value)) return null
  return problem(field, 'wrong-type', `${field} must be a UUID, but is ${describe(value)}`)
}

function missingUuids(missing: readonly UuidField[], what: string): ElementProblem {
  const [first = null] = missing
  const detail =
    missing.length === 1
      ? `${first} is missing: every ${what} needs it`
      : `${missing.join(', ')} are missing: every ${what} needs them`
  return problem(first, 'missing-field', detail)
}

function unknownField(field: string, what: string): string {
  const name = JSON.stringify(field.slice(0, 60))
  return `a ${what} has no field ${name}; it has ${UUID_FIELDS.join(', ')}, value and timestamp`
}

function problem(field: string | null, code: Violation['code'], detail: string): ElementProblem {
  return { field, violation: { code, detail } }
}
