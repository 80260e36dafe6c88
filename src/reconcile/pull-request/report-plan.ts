import type { Plan } from '../../plan/plan.ts'
import { differenceBlock, effectsOf } from '../../plan/render/markdown/comment-effects.ts'
import { renderFailure, type Failure } from '../../plan/render/markdown/comment-failure.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import type { Io } from '../../shell/io.ts'
import { sameDigest, staleNote, summaryLink, withFooter } from './comment-frame.ts'
import { keepIssue } from './drift-issue.ts'
import type { JobEvent } from './event.ts'
import { findingsIn, jobReport, messageOf, tryToReport, type JobReport, type ReportOptions } from './job-report.ts'
import type { Marker } from './marker.ts'
import { packEffects, unpackEffects } from './packed-effects.ts'
import { keepComment, ownComments, type Content } from './sticky-comment.ts'
import { writeOutput, writeSummary } from './step-output.ts'
import { annotate } from './workflow-commands.ts'

export interface PlanReportOptions extends ReportOptions {
  readonly comment?: boolean
  readonly driftIssue?: boolean
}

/** Reports the result of a plan to GitHub. */
export interface PlanReport {
  planned(plan: Plan): Promise<void>
  failed(error: unknown): Promise<void>
}

const PERMISSION = 'pull-requests: write'
const LEAST_FOR_DIFFERENCE = 20_000

/**
 * Makes the report; null where none was asked for. It throws before anything is planned where the job lacks something
 * for it.
 */
export async function planReport(options: PlanReportOptions, directory: string, io: Io): Promise<PlanReport | null> {
  const { comment = false, driftIssue = false } = options
  if (!comment && !driftIssue) return null
  const report = await jobReport(comment ? '--comment' : '--drift-issue', options, directory, io)
  return {
    async planned(plan) {
      annotate(plan.diagnostics, io, report.pathOf)
      writeSummary((limit) => summaryOf(plan, report, limit), io)
      writeOutput({ digest: plan.digest, outcome: plan.outcome }, io)
      if (comment) await commentOn(report, plan.digest, packEffects(effectsOf(plan)), planContent(plan, report), plan)
      if (driftIssue) await keepIssue(report, plan)
    },
    async failed(error) {
      if (io.signal.aborted) return
      annotate(findingsIn(error), io, report.pathOf)
      writeSummary((limit) => renderFailure(failureOf(error, report), limit, report.sourceLink), io)
      if (comment) await commentOn(report, null, undefined, failureContent(error, report), null)
    },
  }
}

function summaryOf(plan: Plan, { sourceLink }: JobReport, limit: number): string {
  return fitMarkdown(plan, { budget: limit, sourceLink })
}

function planContent(plan: Plan, { job, sourceLink }: JobReport): Content {
  return ({ limit, newerHead }) =>
    withFooter(job, limit, (budget) =>
      fitMarkdown(plan, { budget, sourceLink, notes: staleNote(job, newerHead), elsewhere: summaryLink(job) }),
    )
}

function failureContent(error: unknown, report: JobReport): Content {
  const { job, sourceLink } = report
  return ({ limit, newerHead }) => {
    const failure = { ...failureOf(error, report), notes: staleNote(job, newerHead) }
    return withFooter(job, limit, (room) => renderFailure(failure, room, sourceLink))
  }
}

function failureOf(error: unknown, { platform }: JobReport): Failure {
  const diagnostics = findingsIn(error)
  return { headline: 'Not planned', platform, message: messageOf(error), diagnostics, notes: [], advice: [] }
}

async function commentOn(
  report: JobReport,
  digest: string | null,
  changes: string | undefined,
  content: Content,
  plan: Plan | null,
): Promise<void> {
  const { job, io, platform } = report
  const { event } = job
  if (event.kind === 'other') return saysNoPullRequest(event, io)
  const kind = event.kind === 'queue' ? 'queue' : 'plan'
  const { run, commit } = job
  const marker: Marker = { kind, platform, commit, run, digest, ...(changes !== undefined && { changes }) }
  await tryToReport(report, PERMISSION, async () => {
    const pullRequest = await report.pullRequest(event.number)
    const queued = kind === 'queue' && plan !== null ? await queueContent(report, plan, content) : content
    const { url, newerRun } = await keepComment(pullRequest, marker, queued)
    const newer = newerRun === null ? '' : ` (it shows the plan of the newer run ${newerRun.id})`
    io.stderr.write(`The comment is at ${url}${newer}.\n`)
    writeOutput({ 'comment-url': url }, io)
  })
}

/** The comment in the merge queue. It shows the plan only where it is not the reviewed one. */
async function queueContent({ job, platform, pullRequest }: JobReport, plan: Plan, whole: Content): Promise<Content> {
  if (job.event.kind !== 'queue') return whole
  const [reviewed] = await ownComments(await pullRequest(job.event.number), { kind: 'plan', platform })
  if (reviewed?.marker.digest === plan.digest) {
    return ({ limit }) => withFooter(job, limit, () => `### In the merge queue · ${sameDigest(plan.digest)}`)
  }
  const title = '### In the merge queue the plan is another one than in the pull request'
  const before = unpackEffects(reviewed?.marker.changes)
  const difference = before === null ? [] : ['', ...differenceBlock(before, effectsOf(plan))]
  return (situation) => {
    const lines = situation.limit > LEAST_FOR_DIFFERENCE ? [title, ...difference] : [title]
    const head = `${lines.join('\n')}\n\n`
    return `${head}${whole({ ...situation, limit: situation.limit - sizeOf(head) })}`
  }
}

function saysNoPullRequest({ name }: Extract<JobEvent, { kind: 'other' }>, io: Io): void {
  io.stderr.write(
    `No comment: the event "${name}" belongs to no pull request. The plan is in the summary of the run.\n`,
  )
}
