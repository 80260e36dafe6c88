import { locateDiagnostics, inOrder } from '../../documents/locate-diagnostics.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Settings } from '../../records/settings.ts'
import { parseAllow } from '../../plan/guards/parse-allow.ts'
import { locatePlan } from './locate-findings.ts'
import { folderOf } from './readable-path.ts'
import type { FoundBase } from './base-of.ts'
import { wrongModels, type Models } from './models.ts'
import { PlatformError } from '../../client/platform-error.ts'
import type { Detail, Target, TargetPlan } from '../target/target.ts'

/** The settings next to the models, with the acknowledgements of `--allow` for this run. */
export function settingsWith(settings: Settings, allow: readonly string[]): Settings {
  return { ...settings, acknowledge: [...settings.acknowledge, ...allow.map((text) => parseAllow(text))] }
}

/** Plans the models and adds positions. Findings of the platform are reported like those found here. */
export async function planModels(
  models: Models,
  settings: Settings,
  target: Target,
  detail: Detail,
  found?: FoundBase,
): Promise<Plan> {
  let planned: TargetPlan
  try {
    const folder = folderOf(models.directory)
    planned = await target.plan(models, settings, detail, {
      ...(found?.base && { base: found.base }),
      ...(folder !== null && { origin: { folder } }),
    })
  } catch (error) {
    throw asWrongModels(error, models)
  }
  const plan = locatePlan(planned, models)
  return found?.base === null ? { ...plan, diagnostics: [found.finding, ...plan.diagnostics] } : plan
}

function asWrongModels(error: unknown, models: Models): unknown {
  if (!(error instanceof HoldfastError) || error.code !== 'BAD_USER_INPUT') return error
  const found = error.details.filter(isFinding)
  if (!hasErrors(found)) return error
  return wrongModels(inOrder([...models.diagnostics, ...locateDiagnostics(found, models)]))
}

/** Adds to an error the positions in the files of the platform's findings. */
export function withPositions(error: unknown, models: Models): unknown {
  if (!(error instanceof PlatformError)) return error
  const found = error.details.filter(isFinding)
  if (found.length === 0) return error
  const others = error.details.filter((detail) => !isFinding(detail))
  const details = [...inOrder(locateDiagnostics(found, models)), ...others]
  return new PlatformError(error.code, error.message, { details, traceId: error.traceId })
}

function isFinding(detail: unknown): detail is Diagnostic {
  return typeof detail === 'object' && detail !== null && 'severity' in detail && 'pointer' in detail
}
