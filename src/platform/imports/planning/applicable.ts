import { HoldfastError } from '../../../lib/errors.ts'
import { recordType } from '../../../records/registry.ts'
import { countHeldValues } from '../../../plan/withhold.ts'
import { allChanges, allRows, type Guard, type Plan } from '../../../plan/plan.ts'
import type { DomainContext } from '../../domain-context.ts'

const MOST_LISTED = 100

/**
 * Refuses a plan that is blocked by an error, an open guard, or an unknown secret. An account without the right to read
 * data only gets the number of findings about data. The right to apply does not include that right.
 */
export function assertApplicable(plan: Plan, { readsData = false }: Pick<DomainContext, 'readsData'>): void {
  const found = readsData ? plan.diagnostics : countHeldValues(plan.diagnostics)
  const errors = found.filter(({ severity }) => severity === 'error')
  const guards = [
    ...allRows(plan).flatMap(({ type, guards: stopping }) => stopping.map((guard) => ({ type, ...bare(guard) }))),
    ...allChanges(plan).flatMap(({ type, key, guards: stopping }) =>
      stopping.map((guard) => ({ type, key, ...bare(guard) })),
    ),
  ].filter(({ acknowledged }) => !acknowledged)
  const unknown = plan.changes
    .filter(({ secret, action }) => secret === 'not compared' && action !== 'delete')
    .map(({ type, key }) => ({
      code: 'secret-not-resolved',
      type,
      key,
      message: `the ${recordType(type).secret} of ${type}/${key} is a reference that is not resolved; set it and apply again`,
    }))
  const reasons = [...errors, ...guards, ...unknown]
  if (reasons.length === 0) return
  const first = reasons[0]?.message ?? ''
  const listed = reasons.slice(0, MOST_LISTED)
  const cut = listed.length < reasons.length ? `; the first ${MOST_LISTED} are listed` : ''
  const more = reasons.length === 1 ? '' : ` (and ${reasons.length - 1} more${cut})`
  throw new HoldfastError('BLOCKED', `the apply is blocked and nothing was changed: ${first}${more}`, {
    details: listed,
  })
}

/** A guard without its examples, because the right to apply does not include the right to read data. */
function bare({ code, acknowledged, message }: Guard): Omit<Guard, 'examples'> {
  return { code, acknowledged, message }
}
