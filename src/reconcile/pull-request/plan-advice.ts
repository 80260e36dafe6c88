import { HoldfastError } from '../../lib/errors.ts'
import type { JobReport } from './job-report.ts'

/** What can be done where there is no plan. Each point is our own markdown. */
export function adviceOnPlan(_error: unknown, _report: JobReport): readonly string[] {
  return _error instanceof HoldfastError ? [] : ['See the log of the run.']
}
