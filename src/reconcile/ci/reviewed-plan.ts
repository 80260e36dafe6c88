import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { resolve } from 'node:path'
import type { PlatformOptions } from '../../client/platform-address.ts'
import { jobReport } from '../pull-request/job-report.ts'
import { findReviewedPlan } from '../pull-request/plan-on-pull-request.ts'
import { writeOutput } from '../pull-request/step-output.ts'
import { ownComments, type PullRequest } from '../pull-request/sticky-comment.ts'

export interface ReviewedPlanOptions extends PlatformOptions {
  readonly models: string
}

/**
 * Finds the plan that was shown on the pull request that was merged, or that the queue tries: its digest, and the run
 * that has the whole plan. Without outputs, no plan was shown. A plan made only by the queue does not count as
 * reviewed.
 */
export async function reviewedPlan(options: ReviewedPlanOptions, { io }: Context): Promise<CommandResult> {
  const report = await jobReport('ci reviewed-plan', options, resolve(io.cwd, options.models), io)
  const found = await findReviewedPlan(report)
  if (found === null) {
    io.stderr.write(`The commit ${report.job.commit} belongs to no merged pull request.\n`)
    return DONE
  }
  const pullRequest = await report.pullRequest(found.pullRequest)
  const [comment] = await ownComments(pullRequest, {
    kind: 'plan',
    platform: report.platform,
    models: report.models,
  })
  const { commit, digest = null, run } = comment?.marker ?? {}
  if (run === undefined || digest === null) {
    io.stderr.write(`Pull request ${pullRequest.number} shows no plan for ${report.platform}.\n`)
    return DONE
  }
  const head = await headOf(pullRequest)
  // A plan of an older commit is what reviewers saw, but the models may want more by now. So only the plan of the
  // last commit may be compared as a whole.
  const isWhole = commit === head
  const state = isWhole ? '' : `, which is of its commit ${commit} and not of its last one, ${head}`
  io.stderr.write(`Pull request ${pullRequest.number} shows the plan ${digest} of run ${run.id}${state}.\n`)
  const outputs = { 'pull-request': String(pullRequest.number), digest, ...(isWhole && { 'run-id': String(run.id) }) }
  writeOutput(outputs, io)
  return DONE
}

async function headOf({ github, job: { owner, repo }, number }: PullRequest): Promise<string> {
  const { data } = await github.rest.pulls.get({ owner, repo, pull_number: number })
  return data.head.sha
}
