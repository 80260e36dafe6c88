import type { ErrorObject } from 'ajv'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { fromPointer } from '../../lib/pointer.ts'
import { withoutConsequences } from './schema-mistakes.ts'
import type { JsonSchema } from '../json-schema.ts'
import { describeMistake } from './schema-message.ts'

/**
 * Turns the errors of a validator (with `allErrors`) into one finding for each mistake. `schema` is the schema that the
 * document was validated against; for a single record, it is `{ $ref: '#/$defs/…', $defs: … }`. It tells which keys
 * exist and which values are secret (`writeOnly`). Without it, findings suggest no keys and quote no values.
 */
export function schemaDiagnostics(
  errors: readonly ErrorObject[],
  document: unknown,
  schema?: JsonSchema,
): Diagnostic[] {
  return withoutConsequences(errors).map((mistake) => {
    const path = fromPointer(mistake.error.instancePath)
    const { code, message, pointer } = describeMistake(mistake, { path, document, schema })
    return { severity: 'error', code, message, pointer }
  })
}
