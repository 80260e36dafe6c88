import { resolve } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { REVIEWED } from '../apply/expected-digest.ts'
import { apply } from '../commands/apply.ts'
import { plan } from '../commands/plan.ts'
import { commitAt } from '../models/models-at.ts'
import { jobReport } from '../pull-request/job-report.ts'
import { reportError } from '../report-error.ts'
import { reviewedParts, type ReviewedPart } from './reviewed-plan.ts'
import type { CiOptions } from './run-plan.ts'

/**
 * Applies the reviewed plans of the merged pull requests of a push, or refuses. It makes the plans again, and they
 * must have the digests that reviewers saw. So no job has to pass a plan to another one.
 */
export async function ciApply(options: CiOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  const report = await jobReport('ci apply', options, resolve(io.cwd, options.models), io)
  const { event, branch } = report.job
  if (event.kind !== 'other')
    throw new HoldfastError(
      'BAD_USER_INPUT',
      'ci apply is for pushes to a branch; a pull request is planned by: holdfast ci plan',
    )
  const tip = await knownTip(branch, options, context)
  const parts = await reviewedParts(report)
  let failure: unknown
  for (const [index, part] of parts.entries()) {
    try {
      await applyPart(part, index === parts.length - 1, { ...options, ...tip }, inCommit(part, context))
    } catch (error) {
      if (io.signal.aborted) throw error
      if (failure !== undefined) reportError(failure, io, false)
      failure = error
    }
  }
  if (failure !== undefined) throw failure
  return DONE
}

/** Reads the newest models of the branch. Changes that they no longer want are not made. */
async function knownTip(branch: string | null, { models }: CiOptions, { io }: Context): Promise<{ tip?: string }> {
  if (branch === null) return {}
  const tip = `refs/remotes/origin/${branch}`
  return (await commitAt(tip, models, io)) === null ? {} : { tip }
}

/** The same job, for the commit of one part. */
function inCommit({ commit }: ReviewedPart, context: Context): Context {
  const { io } = context
  const name = io.env['GITLAB_CI'] === 'true' ? 'CI_COMMIT_SHA' : 'GITHUB_SHA'
  return { ...context, io: { ...io, env: { ...io.env, [name]: commit } } }
}

async function applyPart(
  { base, commit, shown }: ReviewedPart,
  isLast: boolean,
  options: CiOptions & { readonly tip?: string },
  context: Context,
): Promise<void> {
  const shared = { ...options, ...(base !== null && { base }), format: 'text', allow: [] } as const
  if (shown === null && isLast) {
    const made = await plan(shared, context)
    if (made.kind === 'planned' && made.plan.outcome === 'no-changes') {
      context.io.stdout.write('Nobody reviewed a plan for this commit, and there is nothing to apply.\n')
      return
    }
  }
  const at = isLast ? {} : { at: commit }
  await apply(undefined, { ...shared, ...at, expect: shown?.digest ?? REVIEWED, comment: true }, context)
}
