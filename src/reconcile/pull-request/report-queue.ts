import { resolve } from 'node:path'
import type { PlatformOptions } from '../../client/platform-address.ts'
import type { CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { readPlan } from '../apply/plan-file.ts'
import { jobReport, tryToReport, type JobReport } from './job-report.ts'
import { agreementContent, refusalContent } from './queue-comment.ts'
import { keepComment, ownComments, type Content } from './sticky-comment.ts'

export interface QueueReportOptions extends PlatformOptions {
  readonly models: string
  readonly comment?: boolean
}

/** Reports on a pull request in a merge queue how the check of its reviewed plan ended. `work` is the check. */
export async function reportQueue(
  planPath: string,
  options: QueueReportOptions,
  { io }: Context,
  work: () => Promise<CommandResult>,
): Promise<CommandResult> {
  const report = await jobReport('ci still-holds --comment', options, resolve(io.cwd, options.models), io)
  try {
    const result = await work()
    await tell(report, planPath, async () => agreementContent(report), 'update')
    return result
  } catch (error) {
    if (io.signal.aborted) throw error
    const plan = await readPlan(planPath, io.cwd).catch(() => null)
    if (plan !== null) await tell(report, planPath, () => refusalContent(report, plan, error), 'make')
    throw error
  }
}

/**
 * Comments on a difference of the plans. If the plans agree, it only corrects an earlier comment about a difference.
 */
async function tell(
  report: JobReport,
  planPath: string,
  content: () => Promise<Content>,
  how: 'make' | 'update',
): Promise<void> {
  const { job, io, platform, models } = report
  const { event } = job
  if (event.kind !== 'queue') return
  await tryToReport(report, 'pull-requests: write', async () => {
    const pullRequest = await report.pullRequest(event.number)
    const [own] = await ownComments(pullRequest, { kind: 'queue', platform, models })
    const plan = await readPlan(planPath, io.cwd)
    if (how === 'update' && (own === undefined || own.marker.run.id !== job.run.id)) return
    const marker = { kind: 'queue', platform, models, commit: job.commit, run: job.run, digest: plan.digest } as const
    const { url } = await keepComment(pullRequest, marker, await content())
    io.stderr.write(`The comment is at ${url}.\n`)
  })
}
