import { isObject } from '../../lib/json.ts'
import type { DocumentTypeName } from '../../records/record-type.ts'
import type { Path, ValueFinding } from '../read/interpolate.ts'
import { splitReferences } from './references.ts'

/** For each record type with a secret, the field that holds it. */
export type SecretFields = ReadonlyMap<DocumentTypeName, string>

/** Tells whether a path from the root of a document leads to a secret. */
export function isSecretPath([type, , field, ...rest]: Path, secretFields: SecretFields): boolean {
  return field !== undefined && rest.length === 0 && (secretFields as ReadonlyMap<unknown, string>).get(type) === field
}

/** Warns about secrets that a file contains in plain text. The findings never show them. */
export function literalSecrets(
  type: DocumentTypeName,
  records: readonly unknown[],
  secretFields: SecretFields,
): ValueFinding[] {
  const field = secretFields.get(type)
  if (field === undefined) return []
  return records.flatMap((record, index) => {
    const value = isObject(record) ? record[field] : undefined
    if (typeof value !== 'string' || splitReferences(value).some(({ kind }) => kind !== 'text')) return []
    const message = `the ${field} is readable in the file; write \${env:NAME} or \${file:PATH} instead.`
    return [{ severity: 'warning', code: 'literal-secret', message, path: [type, index, field] }]
  })
}
