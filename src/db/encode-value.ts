import type { SqlValue } from './sql.ts'
import { encodeTextArray } from './values.ts'

/** A value as both drivers take it. */
export function encodeValue(value: SqlValue): unknown {
  return Array.isArray(value) ? encodeTextArray(value) : value
}
