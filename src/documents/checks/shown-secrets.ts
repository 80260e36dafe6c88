import { posix } from 'node:path'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { Reference } from './references.ts'

/** A reference in the merged document. */
export interface ReferenceUse {
  readonly reference: Reference
  /** The path of the file that has it. */
  readonly file: string
  /** The pointer to the text that it is a part of. */
  readonly pointer: string
  readonly isSecret: boolean
}

/**
 * Reports each reference in a text that everybody may read, where a secret of the same document refers to the same thing:
 * plans and pages would show the secret.
 */
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
