import { MAKE_A_SECRET, secretWeakness } from '../auth/secret-strength.ts'
import type { Report } from './record-type.ts'
import { isUnresolvedReference } from './secret.ts'

/** In a document it is a warning for now; where a single record is written it is refused. */
export const WEAK_SECRET = 'weak-secret'

/** Of a secret that programs use. What is in it is never shown. */
export function reportWeakness(secret: string, field: string, report: Report): void {
  const weakness = isUnresolvedReference(secret) ? null : secretWeakness(secret)
  if (weakness === null) return
  const message = `the ${field} ${weakness}; ${MAKE_A_SECRET}. The first release will refuse it`
  report('warning', WEAK_SECRET, [field], message)
}
