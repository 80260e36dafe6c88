import { HoldfastError } from '../../lib/errors.ts'
import type { Effect } from '../../plan/render/markdown/comment-effects.ts'
import type { JobReport } from './job-report.ts'
import { unpackEffects } from './packed-effects.ts'
import { ownComments } from './sticky-comment.ts'
import { troubleText } from '../forge/refusals.ts'

/** The plan that a pull request showed before it was merged. */
export interface ShownPlan {
  readonly pullRequest: number
  /** Null if no comment shows a plan. */
  readonly digest: string | null
  /** Null if the effects were too many to be kept. */
  readonly effects: readonly Effect[] | null
}

const PERMISSION = 'pull-requests: read'

/** Finds the plan that is shown on the pull request of this job's commit; null if there is no pull request. */
export async function findReviewedPlan(report: JobReport): Promise<ShownPlan | null> {
  const { job, platform, models } = report
  const number = job.event.kind === 'other' ? await mergedPullRequest(report, job.commit) : job.event.number
  if (number === null) return null
  // The comment of the merge queue does not count, because no one has reviewed its plan.
  const [planned] = await ownComments(await report.pullRequest(number), { kind: 'plan', platform, models })
  const { digest = null, changes } = planned?.marker ?? {}
  return { pullRequest: number, digest, effects: unpackEffects(changes) }
}

/** The pull request by which a commit came to the target branch; null if there is none. */
export async function mergedPullRequest(report: JobReport, commit: string): Promise<number | null> {
  return (await report.forge()).mergedPullRequest(commit, report.job.branch ?? '')
}

/** The reviewed plan, which `--expect reviewed` needs. It throws if there is none. */
export async function requireReviewedPlan(report: JobReport): Promise<ShownPlan & { readonly digest: string }> {
  const { job, io } = report
  const reviewed = await findReviewedPlan(report).catch((error: unknown) => {
    if (io.signal.aborted) throw error
    const reason = troubleText(error, job, PERMISSION, io.now())
    throw new HoldfastError('UNAVAILABLE', `--expect reviewed: ${reason}; nothing was applied`, { cause: error })
  })
  if (reviewed === null) {
    throw new NothingReviewed(`the commit ${job.commit} belongs to no merged pull request`)
  }
  const { digest } = reviewed
  if (digest !== null) return { ...reviewed, digest }
  throw new NothingReviewed(`pull request ${reviewed.pullRequest} shows no plan for ${report.platform}`)
}

/** No reviewer saw the changes, so there is no apply. */
export class NothingReviewed extends HoldfastError {
  constructor(reason: string) {
    super('STALE_PLAN', `${reason}, so nobody has reviewed what it changes; nothing was applied`)
  }
}
