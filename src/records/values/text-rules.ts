import type { Json } from '../../lib/json.ts'
import { parsedText } from './parsed-text.ts'
import type { StoredValue, ValueRules } from './value.ts'
import type { Violation } from './violation.ts'

/** The rules for values that are stored as they were written. */
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

function parsed(stored: StoredValue): Json {
  return parsedText(stored as string)
}
