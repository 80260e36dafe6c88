import type { Plan } from '../../plan/plan.ts'
import { outcomeOf } from '../../plan/assemble-plan.ts'
import { alteredPlan, isAltered } from '../../plan/reviewed/reviewed-plan.ts'

/**
 * Refuses a plan from a file that says something else than its digest. The platform does that as well, but it is not
 * asked where by such a plan there is nothing to do, and then an apply would be left out and look as if it were done.
 */
export function requireUnaltered(plan: Plan): Plan {
  const isEmpty = plan.withheld === undefined && outcomeOf(plan) === 'no-changes'
  if (isAltered(plan) || (plan.outcome === 'no-changes' && !isEmpty)) throw alteredPlan()
  return plan
}
