import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PlatformOptions } from '../../client/platform-address.ts'
import type { CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { plan } from '../commands/plan.ts'
import { validate } from '../commands/validate.ts'
import type { Job } from '../forge/job.ts'
import { readJob } from '../forge/open-forge.ts'
import { jobReport } from '../pull-request/job-report.ts'
import { reportQueue } from '../pull-request/report-queue.ts'
import { warn } from '../forge/workflow-commands.ts'
import { baseCommit } from './base.ts'
import { reviewedParts } from './reviewed-plan.ts'
import { stillHolds } from './still-holds.ts'

export interface CiOptions extends PlatformOptions {
  readonly models: string
  readonly out?: string
}

/**
 * Plans the changes of a pull request, on any forge, and comments the plan. In a queue it checks that the reviewed plan
 * still holds. A fork is only validated, because its jobs get no token.
 */
export async function ciPlan(options: CiOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  const job = readJob('ci plan', io.env)
  if (job.event.kind === 'pull-request' && job.event.isFork) return validateFork(options, context)
  const place = await mkdtemp(join(tmpdir(), 'holdfast-plan-'))
  try {
    const out = options.out ?? join(place, 'plan.json')
    const made = await planPart(options, out, job, context)
    const holds = job.event.kind === 'queue' && made.kind === 'planned' && made.plan.outcome !== 'blocked'
    return holds ? await holdToReviewed(options, out, context) : made
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function planPart(options: CiOptions, out: string, job: Job, context: Context): Promise<CommandResult> {
  const base = job.event.kind === 'other' ? undefined : ((await baseCommit(job, context.io)) ?? '')
  if (base === '') warn('the base of this commit is not known; the job needs a clone with its history', context.io)
  const part = base === undefined ? {} : { base }
  const made = await plan({ ...options, ...part, out, format: 'text', comment: true, allow: [] }, context)
  // The job fails only if an apply would be refused.
  return made.kind === 'planned' ? { ...made, detailed: made.plan.outcome === 'blocked' } : made
}

/** Checks the reviewed plan in a merge queue or a merge train. */
async function holdToReviewed(options: CiOptions, out: string, context: Context): Promise<CommandResult> {
  const { io } = context
  const report = await jobReport('ci plan', options, resolve(io.cwd, options.models), io)
  const expect = (await reviewedParts(report)).at(-1)?.shown?.digest ?? ''
  return reportQueue(out, options, context, () => stillHolds(out, { expect }, context))
}

async function validateFork({ models }: CiOptions, context: Context): Promise<CommandResult> {
  context.io.stderr.write(
    'This comes from a fork, whose jobs may not ask the platform: the models are only validated.\n',
  )
  return validate({ models, format: 'text' }, context)
}
