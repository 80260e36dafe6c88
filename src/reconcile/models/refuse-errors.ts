import { hasErrors } from '../../lib/diagnostic.ts'
import { wrongModels, type Models } from './models.ts'

/** Refuses to plan models with errors, and reports all findings at once, also those of the platform. */
export async function refuseErrors(models: Models): Promise<void> {
  if (!hasErrors(models.diagnostics)) return
  // Only models with an error need this code. The platform reads all others.
  const { findingsOf } = await import('./model-findings.ts')
  throw wrongModels(findingsOf(models))
}
