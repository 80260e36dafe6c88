import { nameSome } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { allChanges, type Plan } from '../../plan/plan.ts'
import { recordId } from '../../records/record-id.ts'

/**
 * Refuses where a merge changes more than the plan that was reviewed: a pull request that was reviewed against another
 * branch shows nothing of what that branch changes. Less is fine, for a part may be applied already.
 */
export function requireReviewedPart(reviewed: Plan, merged: Plan): void {
  if (reviewed.own === undefined || reviewed.withheld !== undefined) return
  const seen = new Set(allChanges(reviewed).map(recordId))
  const records = allChanges(merged).filter((change) => !seen.has(recordId(change)))
  const types = (merged.own?.scope ?? []).filter((type) => reviewed.own?.scope.includes(type) === false)
  if (records.length === 0 && types.length === 0) return
  const reason = 'the merge changes it, and the reviewed plan does not show it'
  const names = nameSome([...records.map(recordId), ...types], MOST_NAMED)
  throw new HoldfastError(
    'STALE_PLAN',
    `the pull request was reviewed against another branch than it was merged into, and the merge also changes ${names}; nothing was changed: start the workflow by hand, and review its plan of everything that differs`,
    { details: records.map(({ type, key }) => ({ type, key, reason })) },
  )
}

/** Others are counted here, and named in the details. */
const MOST_NAMED = 10
