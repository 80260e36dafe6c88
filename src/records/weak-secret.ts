import { MAKE_A_SECRET, secretWeakness } from '../auth/secret-strength.ts'
import type { Report } from './record-type.ts'
import { standsForSecret } from './secret.ts'

/** Only a warning in documents, whose secrets may be in use elsewhere. A write of one record is rejected. */
export const WEAK_SECRET = 'weak-secret'

/** Reports a weak secret of a program without revealing any part of it. */
export function reportWeakness(secret: string, field: string, report: Report): void {
  const weakness = standsForSecret(secret) ? null : secretWeakness(secret)
  if (weakness === null) return
  report('warning', WEAK_SECRET, [field], `the ${field} ${weakness}; ${MAKE_A_SECRET}`)
}
