import { isObject } from '../../lib/json.ts'
import type { DocumentTypeName } from '../../records/record-type.ts'
import type { Path, ValueFinding } from './interpolate.ts'
import { splitReferences, type Reference } from '../checks/value-references.ts'
import { posix } from 'node:path'
import type { Diagnostic } from '../../lib/diagnostic.ts'

/** For each record type with a secret, the field that holds it. */
export type SecretFields = ReadonlyMap<DocumentTypeName, string>

/** Tells whether a path from the root of a document leads to a secret. */
export function isSecretPath([type, , field, ...rest]: Path, secretFields: SecretFields): boolean {
  return field !== undefined && rest.length === 0 && (secretFields as ReadonlyMap<unknown, string>).get(type) === field
}

/** Warns about secrets in plain text in a file. The findings never show them. */
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

/** A reference in the merged document. */
export interface ReferenceUse {
  readonly reference: Reference
  /** The path of the file that contains the reference. */
  readonly file: string
  /** The pointer to the text that contains the reference. */
  readonly pointer: string
  readonly isSecret: boolean
}

/** Reports each reference in a public text that a secret also uses: plans and pages would show it. */
export function shownSecrets(uses: readonly ReferenceUse[]): Diagnostic[] {
  const secrets = new Map<string, ReferenceUse>()
  for (const use of uses) if (use.isSecret && !secrets.has(keyOf(use))) secrets.set(keyOf(use), use)
  return uses.flatMap((use) => {
    const secret = use.isSecret ? undefined : secrets.get(keyOf(use))
    return secret === undefined ? [] : [finding(use, secret)]
  })
}

function keyOf({ reference: { scheme, name }, file }: ReferenceUse): string {
  return scheme === 'env' ? name : posix.resolve('/', posix.dirname(file), name)
}

function finding({ reference: { written }, pointer }: ReferenceUse, secret: ReferenceUse): Diagnostic {
  const message = `${written} is a secret of these models, and everybody could read it here; refer to something else.`
  return { severity: 'error', code: 'secret-shown', message, pointer, related: [{ pointer: secret.pointer }] }
}
