import { hasErrors } from '../../lib/diagnostic.ts'
import { wrongModels, type Models } from './models.ts'

/**
 * Refuses to plan models with errors, and reports all findings at once, including those that the platform would
 * report.
 */
export async function refuseErrors(models: Models): Promise<void> {
  if (!hasErrors(models.diagnostics)) return
  // Models without an error are read by the platform alone.
  const { findingsOf } = await import('./model-findings.ts')
  throw wrongModels(findingsOf(models))
}
