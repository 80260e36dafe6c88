import { canonicalText, isObject, type Json } from '../lib/json.ts'
import type { RecordBody } from '../records/record-type.ts'
import { parsedSchema } from '../records/value-schema.ts'
import { compileSchema, type ValueSchema } from './schema/compile-schema.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { describe, refuseType, type Violation } from './violation.ts'
import { isWireTime } from './wire-time.ts'

const MOST_LEVELS = 64

/** JSON: any JSON that meets the `schema`, kept in its canonical form. A schema that cannot be used admits nothing. */
export class JsonRules implements ValueRules {
  readonly kind = 'text'
  readonly #schema: ValueSchema | null
  readonly #unusable: Violation | null

  constructor(characteristic: RecordBody) {
    const schema = characteristic['schema']
    const compiled = schema === undefined || schema === null ? null : compileSchema(parsedSchema(schema))
    this.#schema = typeof compiled === 'string' ? null : compiled
    this.#unusable =
      typeof compiled === 'string' ? mismatch(`the schema of the characteristic cannot be used: ${compiled}`) : null
  }

  accept(value: unknown): string | Violation {
    if (value === null || value === undefined) return refuseType(value, 'JSON')
    if (this.#unusable !== null) return this.#unusable
    const problem = jsonProblem(value, 1)
    if (problem !== null) return { code: 'wrong-type', detail: problem }
    const unmet = this.#schema?.mismatch(value as Json) ?? null
    return unmet === null ? canonicalText(value as Json) : mismatch(unmet)
  }

  show(stored: StoredValue): Json {
    return JSON.parse(stored as string) as Json
  }
}

function mismatch(detail: string): Violation {
  return { code: 'schema-mismatch', detail }
}

/** MessagePack has values that JSON has not, and JSON.parse makes Infinity of 1e999. */
function jsonProblem(value: unknown, level: number): string | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'a number in the value is too large for JSON'
  if (level > MOST_LEVELS) return `the value is nested more than ${MOST_LEVELS} levels deep; make it flatter`
  if (isWireTime(value) || value instanceof Uint8Array || (!Array.isArray(value) && !isObject(value))) {
    return `the value must be JSON, but has ${describe(value)} in it`
  }
  for (const member of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    const problem = jsonProblem(member, level + 1)
    if (problem !== null) return problem
  }
  return null
}
