import validators from '../../generated/validators.cjs'
import type { Plan } from '../../src/plan/plan.ts'

/** Plans go through here wherever tests make them: what the schema does not allow, nobody could apply from a file. */
export function validPlan(plan: Plan): Plan {
  if (validators.plan(plan)) return plan
  const found = (validators.plan.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
  throw new Error(`the plan is not as schemas/plan.schema.json says:\n${found.join('\n')}`)
}
