import { HoldfastError } from '../../lib/errors.ts'
import { recordId } from '../../records/record-id.ts'
import { allChanges, type Change, type Plan } from '../../plan/plan.ts'
import { notComparedCount } from '../../plan/render/not-compared-text.ts'
import { readReviewedPlan } from '../../plan/reviewed/reviewed-plan.ts'
import { staleRecords, type StaleRecord } from '../../plan/reviewed/stale-records.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { unreviewedIn, type Unreviewed } from '../apply/own-changes.ts'
import { readPlan } from '../apply/plan-file.ts'

export interface StillHoldsOptions {
  readonly expect?: string
  readonly reviewed?: string
}

/**
 * Tells whether the reviewed plan could still be applied, by comparing it with a new plan. If the new plan covers
 * everything that differs, it may contain more changes, from other pull requests in the queue (docs/decisions/0044).
 * If it covers only this pull request, nobody has reviewed additional changes, so they are refused.
 */
export async function stillHolds(
  planPath: string,
  options: StillHoldsOptions,
  { io }: Context,
): Promise<CommandResult> {
  const now = await readPlan(planPath, io.cwd)
  const expected = options.expect || null
  if (expected === null && now.outcome === 'no-changes') {
    const unknown = notComparedCount(now)
    return say(unknown === '' ? 'There is nothing to apply.' : `Nothing was found to apply; ${unknown}.`)
  }
  if (expected === null) {
    throw new HoldfastError(
      'STALE_PLAN',
      'the pull request shows no plan, so nobody has reviewed what it changes; let the plan job run for its last commit',
    )
  }
  if (now.digest === expected) return say('The plan is the reviewed one.')
  const reviewed = options.reviewed === undefined ? null : await readPlan(options.reviewed, io.cwd)
  if (reviewed?.digest !== expected) throw otherPlan(now, expected)
  const stale = recordsThatMoved(reviewed, now)
  if (stale.length > 0) throw moved(stale)
  const unreviewed = unreviewedIn(reviewed, now)
  if (unreviewed !== null) throw notReviewed(unreviewed)
  return say('The reviewed plan still holds; the models also contain changes of others.')

  function say(text: string): CommandResult {
    io.stdout.write(`${text}\n`)
    return DONE
  }
}

/** Compares in the same way as an apply on the platform, which ignores changes of other pull requests. */
export function recordsThatMoved(plan: Plan, now: Plan): StaleRecord[] {
  const reviewed = readReviewedPlan(plan, now.domain)
  const ids = new Set(allChanges(plan).map(recordId))
  // If another pull request changes a record that the plan refers to, the record will differ at the time of the apply.
  const digests = new Map<string, string>()
  for (const reference of now.references)
    if (reference.digest !== null) digests.set(recordId(reference), reference.digest)
  for (const change of allChanges(now))
    if (!ids.has(recordId(change))) digests.set(recordId(change), 'waits to be changed')
  const isReviewed = (change: Change) => ids.has(recordId(change))
  const access = { ...now.access, changes: now.access.changes.filter(isReviewed) }
  return staleRecords(reviewed, { ...now, changes: now.changes.filter(isReviewed), access }, digests)
}

function otherPlan({ digest }: Plan, expected: string): HoldfastError {
  return new HoldfastError(
    'STALE_PLAN',
    `the plan is now ${digest}, and the reviewed one was ${expected}; let the plan job of the pull request run again, and review it`,
  )
}

function notReviewed({ message, details }: Unreviewed): HoldfastError {
  return new HoldfastError('STALE_PLAN', `${message}; ${UP_TO_DATE}`, { details })
}

const UP_TO_DATE = 'bring the pull request up to date, and review its new plan'

function moved(details: readonly StaleRecord[]): HoldfastError {
  const records = details.length === 1 ? 'a record is' : `${details.length} records are`
  return new HoldfastError(
    'STALE_PLAN',
    `${records} not as the reviewed plan saw ${details.length === 1 ? 'it' : 'them'}; ${UP_TO_DATE}`,
    { details },
  )
}
