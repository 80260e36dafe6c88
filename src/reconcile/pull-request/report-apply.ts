import { platformUrl } from '../../client/platform-address.ts'
import type { Plan } from '../../plan/plan.ts'
import { differenceBlock, effectsOf, type Effect } from '../../plan/render/markdown/comment-effects.ts'
import { renderFailure, type Failure } from '../../plan/render/markdown/comment-failure.ts'
import { sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { OtherPlan, REVIEWED } from '../apply/expected-digest.ts'
import type { Io } from '../../shell/io.ts'
import { commandLine } from '../../shell/terminal.ts'
import type { Apply } from '../target/target.ts'
import { appliedContent, appliedLine, appliedText, type Applied } from './applied-comment.ts'
import { adviceOn, whatBecame } from './apply-advice.ts'
import { summaryLink, withFooter } from './comment-frame.ts'
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
import { findReviewedPlan, requireReviewedPlan, type ShownPlan } from './shown-plan.ts'
import { keepComment, ownComments, type Content, type PullRequest } from './sticky-comment.ts'
import { writeOutput, writeSummary } from './step-output.ts'
import { annotate } from '../forge/workflow-commands.ts'

export interface ApplyReportOptions extends ReportOptions {
  readonly comment?: boolean
  readonly expect?: string
}

/** Reports the result of an apply on the merged pull request. */
export interface ApplyReport {
  /** The digest of the plan that the pull request showed. */
  expected(): Promise<string>
  /** The effects of the plan with this digest, if the pull request shows it and the forge answers. */
  reviewed(digest: string): Promise<readonly Effect[] | null>
  /** Receives the plan. A plan from a file was made some time ago. */
  planned(plan: Plan, when: { readonly isOfNow: boolean }): void
  /** Called when the platform may have changed. */
  applying(): void
  applied(apply: Apply | null): Promise<void>
  failed(error: unknown): Promise<void>
}

const PERMISSION = 'pull-requests: write'

/** Makes the report; null if none was asked for. It throws if the job lacks something that the report needs. */
export async function applyReport(options: ApplyReportOptions, directory: string, io: Io): Promise<ApplyReport | null> {
  const { comment = false, expect } = options
  if (!comment && expect !== REVIEWED) return null
  const report = await jobReport(comment ? '--comment' : `--expect ${REVIEWED}`, options, directory, io)
  let planned: { readonly plan: Plan; readonly isOfNow: boolean } | null = null
  let wasBegun = false
  return {
    async expected() {
      return (await requireReviewedPlan(report)).digest
    },
    async reviewed(digest) {
      const shown = await findReviewedPlan(report).catch(() => null)
      return shown?.digest === digest ? shown.effects : null
    },
    planned(plan, { isOfNow }) {
      planned = { plan, isOfNow }
    },
    applying() {
      wasBegun = true
    },
    async applied(apply) {
      const outcome = apply === null ? 'no-changes' : 'applied'
      writeOutput({ outcome, ...(apply !== null && { apply: apply.uuid }) }, io)
      if (!comment) return
      const applied = { apply, plan: planned?.plan ?? null, rollback: rollbackOf(apply, options, io) }
      writeSummary((limit) => appliedText(report, applied, limit), io)
      await tryToReport(report, PERMISSION, () => commentOnSuccess(report, applied))
    },
    async failed(error) {
      if (!comment || io.signal.aborted) return
      const failure = failureOf(error, report, wasBegun)
      annotate(failure.diagnostics, io, report.pathOf)
      const { plan = null, isOfNow = true } = planned ?? {}
      writeSummary((limit) => failureText(report, { plan, isOfNow, failure }, limit), io)
      await tryToReport(report, PERMISSION, () => commentOnFailure(report, isOfNow ? plan : null, failure))
    },
  }
}

function rollbackOf(apply: Apply | null, options: ReportOptions, { env }: Io): string | null {
  if (apply?.recorded !== true) return null
  const url = platformUrl(options, env)?.replace(/\/$/, '')
  // The types belong to the repository, so a pull request undoes the apply.
  return commandLine(env, 'rollback', apply.uuid, '--pull-request', ...(url === undefined ? [] : ['--url', url]))
}

/**
 * Adds the outcome to the comment of the plan. If an earlier comment reported a failure, it is corrected. There is no
 * other comment, because everyone expects success.
 */
async function commentOnSuccess(report: JobReport, applied: Applied): Promise<void> {
  const found = await findReviewedPlan(report)
  if (found === null) return
  const pullRequest = await report.pullRequest(found.pullRequest)
  await endPlanComment(report, pullRequest, applied)
  const marker = markerOf(report, applied.apply?.planDigest ?? null)
  if ((await ownComments(pullRequest, marker)).length === 0) return
  await keepComment(pullRequest, marker, ({ limit }) =>
    withFooter(report.job, limit, () => `${appliedLine(report, applied.apply)}\n\nAn earlier attempt was refused.`),
  )
}

async function endPlanComment(report: JobReport, pullRequest: PullRequest, applied: Applied): Promise<void> {
  const { platform, models } = report
  const [planned] = await ownComments(pullRequest, { kind: 'plan', platform, models })
  const isNews =
    applied.apply !== null || applied.plan?.outcome !== 'no-changes' || planned?.marker.changes !== undefined
  if (planned === undefined || planned.marker.digest === null || !isNews) return
  const uuid = applied.apply?.uuid ?? planned.marker.applied
  const marker = { ...planned.marker, ...(uuid !== undefined && { applied: uuid }) }
  await keepComment(pullRequest, marker, appliedContent(report, applied))
}

async function commentOnFailure(report: JobReport, plan: Plan | null, failure: Failure): Promise<void> {
  const { io, job } = report
  const reviewed = await findReviewedPlan(report)
  if (reviewed === null) {
    io.stderr.write(`No comment: the commit ${job.commit} belongs to no merged pull request.\n`)
    return
  }
  const pullRequest = await report.pullRequest(reviewed.pullRequest)
  const difference = plan === null ? [] : differenceFrom(reviewed, plan)
  const content: Content = ({ limit }) =>
    withFooter(job, limit, (room) =>
      failureText(report, { plan, isOfNow: true, failure: { ...failure, difference } }, room),
    )
  const { url } = await keepComment(pullRequest, markerOf(report, plan?.digest ?? null), content)
  io.stderr.write(`The comment is at ${url}.\n`)
  writeOutput({ 'comment-url': url }, io)
}

function differenceFrom({ digest, effects }: ShownPlan, plan: Plan): readonly string[] {
  return effects === null || digest === plan.digest ? [] : differenceBlock(effects, effectsOf(plan))
}

function failureOf(error: unknown, report: JobReport, wasBegun: boolean): Failure {
  return {
    ...headingOf(report),
    headline: 'Not applied',
    // The comment shows the differences between two plans below.
    message: [messageOf(error), ...(error instanceof OtherPlan ? [] : detailsOf(error))].join('\n'),
    diagnostics: findingsIn(error),
    notes: [whatBecame(error, wasBegun)],
    advice: adviceOn(error, report.job.forge),
  }
}

interface FailedApply {
  readonly plan: Plan | null
  /** Whether this is the plan of an apply now, and not the reviewed plan. */
  readonly isOfNow: boolean
  readonly failure: Failure
}

/** The failure takes at most half of the room, and the plan gets the rest. */
function failureText(report: JobReport, { plan, isOfNow, failure }: FailedApply, room: number): string {
  const { job, sourceLink } = report
  if (plan === null) return renderFailure(failure, room, sourceLink)
  const title = isOfNow ? '#### The present plan' : '#### The plan that was reviewed'
  const said = `${renderFailure(failure, room / 2, sourceLink)}\n${title}\n\n`
  const budget = room - sizeOf(said)
  return `${said}${fitMarkdown(plan, { ...headingOf(report), budget, sourceLink, elsewhere: summaryLink(job) })}`
}

function markerOf({ job: { commit, run }, platform, models }: JobReport, digest: string | null): Marker {
  return { kind: 'apply', platform, models, commit, run, digest }
}
