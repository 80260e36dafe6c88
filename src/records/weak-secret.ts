import { MAKE_A_SECRET, secretWeakness } from '../auth/secret-strength.ts'
import type { Report } from './record-type.ts'
import { standsForSecret } from './secret.ts'

/**
 * The finding is a warning for documents, which may bring secrets that are in use elsewhere. A write of a single record with it
 * is refused.
 */
export const WEAK_SECRET = 'weak-secret'

/** Reports a weak secret of a program, without showing anything of it. */
export function reportWeakness(secret: string, field: string, report: Report): void {
  const weakness = standsForSecret(secret) ? null : secretWeakness(secret)
  if (weakness === null) return
  report('warning', WEAK_SECRET, [field], `the ${field} ${weakness}; ${MAKE_A_SECRET}`)
}
