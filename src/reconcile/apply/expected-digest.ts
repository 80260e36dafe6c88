import { HoldfastError } from '../../lib/errors.ts'
import type { Plan } from '../../plan/plan.ts'
import { differenceSentences, effectsOf, type Effect } from '../../plan/render/markdown/comment-effects.ts'

/** The value of `--expect` for the plan that the merged pull request showed. */
export const REVIEWED = 'reviewed'

export function checkExpectation(expected: string | undefined): void {
  if (expected === undefined || expected === REVIEWED || /^sha256:[0-9a-f]{64}$/.test(expected)) return
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `--expect ${JSON.stringify(expected)}: give the whole digest of a plan, sha256: and 64 hexadecimal digits, or "${REVIEWED}"`,
  )
}

/** Reports that the plan does not have the expected digest. The details name the records that differ. */
export class OtherPlan extends HoldfastError {
  /** `reviewed` are the effects of the expected plan; null if they are not known. */
  constructor(plan: Plan, expected: string, reviewed: readonly Effect[] | null) {
    super(
      'STALE_PLAN',
      `the plan is not the expected one: its digest is ${plan.digest}, not ${expected}; plan again, nothing was applied`,
      { details: reviewed === null ? [] : differenceSentences(reviewed, effectsOf(plan)) },
    )
  }
}
