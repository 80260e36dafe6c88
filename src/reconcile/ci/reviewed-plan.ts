import { resolve } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import type { PlatformOptions } from '../../client/platform-address.ts'
import { troubleText } from '../forge/refusals.ts'
import { jobReport, type JobReport } from '../pull-request/job-report.ts'
import { writeOutput } from '../pull-request/step-output.ts'
import { ownComments } from '../pull-request/sticky-comment.ts'
import { pushedParts, type Pushed } from './pushed.ts'

export interface ReviewedPlanOptions extends PlatformOptions {
  readonly models: string
}

/** A part of a push, or a pull request, with the plan that was shown on it; null if no plan was shown. */
export interface ReviewedPart extends Pushed {
  readonly shown: ShownPlan | null
}

/**
 * Finds the parts that this job handles, the oldest first, each with the plan that its reviewers saw. If the forge
 * does not answer, the error says what to do, and nothing is applied.
 */
export async function reviewedParts(report: JobReport): Promise<readonly ReviewedPart[]> {
  return findParts(report).catch((error: unknown) => {
    if (report.io.signal.aborted) throw error
    const reason = troubleText(error, report.job, 'pull-requests: read', report.io.now())
    throw new HoldfastError('UNAVAILABLE', `the reviewed plan was not found: ${reason}; nothing was applied`, {
      cause: error,
    })
  })
}

async function findParts(report: JobReport): Promise<readonly ReviewedPart[]> {
  const { event, commit } = report.job
  const pushed: Pushed[] =
    event.kind === 'other' ? await pushedParts(report) : [{ pullRequest: event.number, commit, base: null }]
  const parts: ReviewedPart[] = []
  for (const part of pushed) parts.push({ ...part, shown: await shownPlan(part, report) })
  return parts
}

/**
 * Finds the plan that was shown on the pull request that was merged or is in the queue: its digest, and the run that
 * has the whole plan. Without outputs, no plan was shown. A plan that only the queue made does not count as reviewed.
 * If a push has several pull requests, the output `earlier` has all but the last one.
 */
export async function reviewedPlan(options: ReviewedPlanOptions, { io }: Context): Promise<CommandResult> {
  const report = await jobReport('ci reviewed-plan', options, resolve(io.cwd, options.models), io)
  const parts = await reviewedParts(report)
  const earlier = parts.slice(0, -1).map(earlierPart)
  const { base = null, shown = null } = parts.at(-1) ?? {}
  writeOutput(
    {
      ...(base !== null && { base }),
      ...(earlier.length > 0 && { earlier: earlier.join(' ') }),
      ...(shown !== null && { 'pull-request': String(shown.pullRequest), digest: shown.digest }),
      ...(shown?.isWhole === true && { 'run-id': String(shown.runId) }),
    },
    io,
  )
  return DONE
}

/** `digest,base,commit`, for a script. The digest is empty if no plan was shown. */
function earlierPart({ base, commit, shown }: ReviewedPart): string {
  return [shown?.digest ?? '', base ?? '', commit].join(',')
}

interface ShownPlan {
  readonly pullRequest: number
  readonly digest: string
  readonly runId: number
  /**
   * Whether the plan is of the last commit of the pull request. Reviewers may have seen a plan of an older commit,
   * but the models may have more changes now. So only a plan of the last commit may be compared as a whole.
   */
  readonly isWhole: boolean
}

async function shownPlan({ pullRequest: number, commit }: Pushed, report: JobReport): Promise<ShownPlan | null> {
  const { io, platform, models } = report
  if (number === null) {
    io.stderr.write(`The commit ${commit} belongs to no merged pull request.\n`)
    return null
  }
  const pullRequest = await report.pullRequest(number)
  const [comment] = await ownComments(pullRequest, { kind: 'plan', platform, models })
  const { commit: planned, digest = null, run } = comment?.marker ?? {}
  if (run === undefined || digest === null) {
    io.stderr.write(`Pull request ${number} shows no plan for ${platform}.\n`)
    return null
  }
  const head = await pullRequest.forge.headOf(number)
  const isWhole = planned === head
  const state = isWhole ? '' : `, which is of its commit ${planned} and not of its last one, ${head}`
  io.stderr.write(`Pull request ${number} shows the plan ${digest} of run ${run.id}${state}.\n`)
  return { pullRequest: number, digest, runId: run.id, isWhole }
}
