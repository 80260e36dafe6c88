import type { ErrorObject } from 'ajv'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { fromPointer } from '../../lib/pointer.ts'
import { withoutConsequences } from './schema-mistakes.ts'
import type { JsonSchema } from '../json-schema.ts'
import { describeMistake } from './schema-message.ts'

/** A generated validator ends its loops once it has more errors than this. */
export const MOST_ERRORS = 1_000

/**
 * Turns the errors of a validator (with `allErrors`) into one finding for each mistake.
 * `schema` is the schema that the document was validated against; for a single record that is `{ $ref: '#/$defs/…',
 * $defs: … }`. It tells which keys are known and which values are secret (`writeOnly`), so without it no key is
 * suggested and no value is quoted. Only the first `MOST_ERRORS` mistakes are described.
 */
export function schemaDiagnostics(
  errors: readonly ErrorObject[],
  document: unknown,
  schema?: JsonSchema,
): Diagnostic[] {
  return withoutConsequences(errors)
    .slice(0, MOST_ERRORS)
    .map((mistake) => {
      const path = fromPointer(mistake.error.instancePath)
      const { code, message, pointer } = describeMistake(mistake, { path, document, schema })
      return { severity: 'error', code, message, pointer }
    })
}
