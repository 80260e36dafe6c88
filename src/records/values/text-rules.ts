import { parseJson, type Json } from '../../lib/json.ts'
import type { StoredValue, ValueRules } from './value.ts'
import type { Violation } from './violation.ts'

/** The rules for values that are stored as written. */
export function textRules(accept: (value: unknown) => string | Violation): ValueRules<'text'> {
  return { kind: 'text', accept, show: asStored }
}

/** The rules for values that are stored as JSON text. */
export function jsonTextRules(accept: ValueRules<'text'>['accept']): ValueRules<'text'> {
  return { kind: 'text', accept, show: parsed }
}

function asStored(stored: StoredValue): Json {
  return stored as string
}

/** Parses JSON text. A text that was stored while the characteristic had another type is returned unchanged. */
function parsed(stored: StoredValue): Json {
  try {
    return parseJson(stored as string)
  } catch {
    return stored as string
  }
}
