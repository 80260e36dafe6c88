import type { Plan } from '../../plan/plan.ts'
import { outcomeOf } from '../../plan/assemble-plan.ts'
import { alteredPlan, isAltered } from '../../plan/reviewed/reviewed-plan.ts'

/**
 * Refuses a plan from a file if its content does not match its digest. The platform checks that as well. But a plan
 * with nothing to do is not sent to the platform, so an altered plan would look as if it were applied.
 */
export function requireUnaltered(plan: Plan): Plan {
  const isEmpty = plan.withheld === undefined && outcomeOf(plan) === 'no-changes'
  if (isAltered(plan) || (plan.outcome === 'no-changes' && !isEmpty)) throw alteredPlan()
  return plan
}
