import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import type { Plan } from '../../plan/plan.ts'
import { effectsOf } from '../../plan/render/markdown/comment-effects.ts'
import { renderFailure, type Failure } from '../../plan/render/markdown/comment-failure.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { verdict } from '../../plan/render/verdict.ts'
import type { Io } from '../../shell/io.ts'
import { addCheckRun } from './check-run.ts'
import { staleNote, summaryLink, withFooter } from './comment-frame.ts'
import { keepIssue } from './drift-issue.ts'
import type { JobEvent } from '../forge/job.ts'
import {
  detailsOf,
  findingsIn,
  headingOf,
  jobReport,
  messageOf,
  tryToReport,
  type JobReport,
  type ReportOptions,
} from './job-report.ts'
import type { Marker } from './marker.ts'
import { packEffects } from './packed-effects.ts'
import { queueContent } from './queue-comment.ts'
import { keepComment, ownComments, type Content } from './sticky-comment.ts'
import { writeOutput, writeSummary } from './step-output.ts'
import { annotate } from '../forge/workflow-commands.ts'
import { troubleText } from '../forge/refusals.ts'
import { codeSpan } from '../../plan/render/markdown/markdown-text.ts'
import { NoDirectoryError } from '../models/model-source.ts'

export interface PlanReportOptions extends ReportOptions {
  readonly comment?: boolean
  readonly driftIssue?: boolean
}

/** Reports the result of a plan to GitHub. */
export interface PlanReport {
  /** Receives the real paths of the files that were read. */
  read(files: readonly string[]): void
  planned(plan: Plan): Promise<void>
  failed(error: unknown): Promise<void>
}

const PERMISSION = 'pull-requests: write'

/**
 * Makes the report; null if none was asked for. If the job lacks something that the report needs, it throws before the
 * plan is made.
 */
export async function planReport(options: PlanReportOptions, directory: string, io: Io): Promise<PlanReport | null> {
  const { comment = false, driftIssue = false } = options
  if (!comment && !driftIssue) return null
  const report = await jobReport(comment ? '--comment' : '--drift-issue', options, directory, io)
  let files: readonly string[] = []
  return {
    read(found) {
      files = found
    },
    async planned(plan) {
      annotate(plan.diagnostics, io, report.pathOf)
      writeSummary((limit) => summaryOf(plan, report, limit), io)
      writeOutput({ digest: plan.digest, outcome: plan.outcome }, io)
      if (comment) {
        const isShown = await commentOn(report, { plan, content: planContent(plan, report), files })
        await addCheckRun(report, {
          conclusion: plan.outcome === 'blocked' ? 'failure' : 'success',
          title: verdict(plan, undefined, report.platform),
          summary: (limit) => summaryOf(plan, report, limit),
        })
        if (!isShown) throw notShown(report)
      }
      if (driftIssue) await keepIssue(report, plan)
    },
    async failed(error) {
      if (io.signal.aborted) return
      annotate(findingsIn(error), io, report.pathOf)
      const summary = (limit: number) => renderFailure(failureOf(error, report), limit, report.sourceLink)
      writeSummary(summary, io)
      if (!comment) return
      await commentOn(report, { plan: null, content: failureContent(error, report), files })
      const title = `Not planned on ${report.platform}`
      await addCheckRun(report, { conclusion: 'failure', title, summary })
    },
  }
}

function summaryOf(plan: Plan, report: JobReport, limit: number): string {
  return fitMarkdown(plan, { ...headingOf(report), budget: limit, sourceLink: report.sourceLink })
}

function planContent(plan: Plan, report: JobReport): Content {
  const { job, sourceLink } = report
  return ({ limit, newerHead }) =>
    withFooter(job, limit, (budget) =>
      fitMarkdown(plan, {
        ...headingOf(report),
        budget,
        sourceLink,
        notes: staleNote(job, newerHead),
        elsewhere: summaryLink(job),
      }),
    )
}

function failureContent(error: unknown, report: JobReport): Content {
  const { job, sourceLink } = report
  return ({ limit, newerHead }) => {
    const failure = { ...failureOf(error, report), notes: staleNote(job, newerHead) }
    return withFooter(job, limit, (room) => renderFailure(failure, room, sourceLink))
  }
}

function failureOf(error: unknown, report: JobReport): Failure {
  const message = [messageOf(error), ...detailsOf(error)].join('\n')
  const advice = adviceOnPlan(error, report)
  return { ...headingOf(report), headline: 'Not planned', message, diagnostics: findingsIn(error), notes: [], advice }
}

interface Comment {
  /** Null if there is none. */
  readonly plan: Plan | null
  readonly content: Content
  readonly files: readonly string[]
}

/**
 * Returns false if a comment was wanted and could not be written. A fork may only read, and in a queue the reviewed
 * comment counts.
 */
async function commentOn(report: JobReport, { plan, content, files }: Comment): Promise<boolean> {
  const { job, io } = report
  const { event } = job
  if (event.kind === 'other') {
    saysNoPullRequest(event, io)
    return true
  }
  const marker = markerOf(report, event.kind === 'queue' ? 'queue' : 'plan', plan)
  const done = await tryToReport(report, PERMISSION, async () => {
    const pullRequest = await report.pullRequest(event.number)
    const isNew = (await ownComments(pullRequest, marker)).length === 0
    const paths = new Set(files.flatMap((file) => report.pathOf(file) ?? []))
    if (isNew && !(await touchesModels(report, event.number, paths))) {
      io.stderr.write('No comment: the pull request changes neither the models nor their settings.\n')
      return true
    }
    const shown = event.kind === 'queue' && plan !== null ? await queueContent(report, plan, content) : content
    if (shown === null) {
      io.stderr.write('No comment: the plan is the reviewed one.\n')
      return true
    }
    const { url, newerRun } = await keepComment(pullRequest, marker, shown)
    const newer = newerRun === null ? '' : ` (it shows the plan of the newer run ${newerRun.id})`
    io.stderr.write(`The comment is at ${url}${newer}.\n`)
    writeOutput({ 'comment-url': url }, io)
    return true
  })
  return done === true || event.kind === 'queue' || event.isFork
}

/** The apply after the merge looks for this comment, so a job without the comment must not look ready for review. */
function notShown({ job }: JobReport): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    `the plan was made, but ${job.forge} did not take the comment that shows it (see the warning above), so an apply would refuse it after the merge; put that right, and run this job again`,
  )
}

function markerOf(
  { job: { run, commit }, platform, models }: JobReport,
  kind: Marker['kind'],
  plan: Plan | null,
): Marker {
  const changes = plan === null ? undefined : packEffects(effectsOf(plan))
  const digest = plan?.digest ?? null
  return { kind, platform, models, commit, run, digest, ...(changes !== undefined && { changes }) }
}

function saysNoPullRequest({ name }: Extract<JobEvent, { kind: 'other' }>, io: Io): void {
  io.stderr.write(
    `No comment: the event "${name}" belongs to no pull request. The plan is in the summary of the run.\n`,
  )
}

/**
 * Tells whether a pull request changes the models, their settings or another file that they link or refer to. If the
 * forge does not tell, the answer is yes: an unneeded comment is better than a missing one. `others` are paths from the
 * root of the repository.
 */
async function touchesModels(report: JobReport, number: number, others: ReadonlySet<string>): Promise<boolean> {
  const { job, models, io } = report
  if (models === '') return true
  try {
    const files = await (await report.forge()).changedFiles(number)
    const isOne = (path: string | undefined) => path?.startsWith(`${models}/`) === true || others.has(path ?? '')
    return files === null || files.some(({ path, earlier }) => isOne(path) || isOne(earlier))
  } catch (error) {
    if (io.signal.aborted) throw error
    const reason = troubleText(error, job, 'pull-requests: read', io.now())
    io.stderr.write(`It is not known which files the pull request changes: ${reason}.\n`)
    return true
  }
}

const ADVICE: { readonly [code in ErrorCode]?: readonly string[] } = {
  UNAUTHENTICATED: ['Look at the authentication method of the platform that trusts this repository.'],
  FORBIDDEN: ['Look at the authentication method of the platform that trusts this repository, and at its rules.'],
  UNAVAILABLE: ['Run this job again when the platform answers.'],
}

/** Advice if there is no plan. Each point is our own markdown. */
function adviceOnPlan(error: unknown, { models }: Pick<JobReport, 'models'>): readonly string[] {
  if (error instanceof NoDirectoryError) return adviceOnDirectory(codeSpan(models))
  return error instanceof HoldfastError ? (ADVICE[error.code] ?? []) : ['See the log of the run.']
}

function adviceOnDirectory(name: string): readonly string[] {
  return [
    `If the models are in another directory now, say so in the workflow: \`models\`, under \`with\`, is ${name} there.`,
    `If everything is to be deleted, keep ${name} with an empty list for each record type, such as \`characteristics: []\`: without them nothing is managed, and nothing is deleted.`,
    `If the models are not to be kept in Git any more, remove the workflow, too.`,
  ]
}
