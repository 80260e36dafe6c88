import validators from '../../generated/validators.cjs'
import type { Plan } from '../../src/plan/plan.ts'

/** Checks every plan that tests make. A plan that the schema does not allow could not be applied from a file. */
export function validPlan(plan: Plan): Plan {
  if (validators.plan(plan)) return plan
  const found = (validators.plan.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
  throw new Error(`the plan is not as schemas/plan.schema.json says:\n${found.join('\n')}`)
}
