import type { Plan } from '../../plan/plan.ts'
import { differenceBlock, effectsOf } from '../../plan/render/markdown/comment-effects.ts'
import { renderFailure, type Failure } from '../../plan/render/markdown/comment-failure.ts'
import { codeSpan, sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { summaryText } from '../apply/apply-text.ts'
import { REVIEWED } from '../apply/expected-digest.ts'
import type { Io } from '../../shell/io.ts'
import type { Apply } from '../target/target.ts'
import { adviceOn, whatBecame } from './apply-advice.ts'
import { summaryLink, withFooter } from './comment-frame.ts'
import {
  detailsOf,
  findingsIn,
  jobReport,
  messageOf,
  tryToReport,
  type JobReport,
  type ReportOptions,
} from './job-report.ts'
import type { Marker } from './marker.ts'
import { findReviewedPlan, requireReviewedPlan, type ShownPlan } from './plan-on-pull-request.ts'
import { keepComment, ownComments, type Content } from './sticky-comment.ts'
import { writeOutput, writeSummary } from './step-output.ts'
import { annotate } from './workflow-commands.ts'

export interface ApplyReportOptions extends ReportOptions {
  readonly comment?: boolean
  readonly expect?: string
}

/** Reports the result of an apply on the merged pull request. */
export interface ApplyReport {
  /** The digest of the plan that the pull request showed. */
  expected(): Promise<string>
  /** Is told the plan. A plan from a file was made some time ago. */
  planned(plan: Plan, when: { readonly isOfNow: boolean }): void
  applied(apply: Apply | null): Promise<void>
  failed(error: unknown): Promise<void>
}

const PERMISSION = 'pull-requests: write'

/** Makes the report; null where none was asked for. It throws where the job lacks something for it. */
export async function applyReport(options: ApplyReportOptions, directory: string, io: Io): Promise<ApplyReport | null> {
  const { comment = false, expect } = options
  if (!comment && expect !== REVIEWED) return null
  const report = await jobReport(comment ? '--comment' : `--expect ${REVIEWED}`, options, directory, io)
  /** The plan of what would be done now, as far as it is known. */
  let plan: Plan | null = null
  let wasPlanned = false
  return {
    async expected() {
      return (await requireReviewedPlan(report)).digest
    },
    planned(made, { isOfNow }) {
      wasPlanned = true
      if (isOfNow) plan = made
      if (comment) writeSummary((limit) => fitMarkdown(made, { budget: limit, sourceLink: report.sourceLink }), io)
    },
    async applied(apply) {
      writeOutput(
        { outcome: apply === null ? 'no-changes' : 'applied', ...(apply !== null && { apply: apply.uuid }) },
        io,
      )
      if (comment) await tryToReport(report, PERMISSION, () => commentOnSuccess(report, apply))
    },
    async failed(error) {
      if (!comment || io.signal.aborted) return
      const failure = failureOf(error, report.platform, wasPlanned)
      annotate(failure.diagnostics, io, report.pathOf)
      writeSummary((limit) => renderFailure(failure, limit, report.sourceLink), io)
      await tryToReport(report, PERMISSION, () => commentOnFailure(report, plan, failure))
    },
  }
}

/** Comments on success only after a failure was reported, because success is what everyone expects. */
async function commentOnSuccess(report: JobReport, apply: Apply | null): Promise<void> {
  const { job, platform } = report
  const found = await findReviewedPlan(report)
  if (found === null) return
  const pullRequest = await report.pullRequest(found.pullRequest)
  if ((await ownComments(pullRequest, { kind: 'apply', platform })).length === 0) return
  const done =
    apply === null ? 'nothing had to be done any more' : `${summaryText(apply.summary)} · apply ${codeSpan(apply.uuid)}`
  await keepComment(pullRequest, markerOf(report, apply?.planDigest ?? null), ({ limit }) =>
    withFooter(job, limit, () => `### Applied now: ${done} · platform ${codeSpan(platform)}`),
  )
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
  const content = failureContent(report, plan, { ...failure, difference })
  const { url } = await keepComment(pullRequest, markerOf(report, plan?.digest ?? null), content)
  io.stderr.write(`The comment is at ${url}.\n`)
  writeOutput({ 'comment-url': url }, io)
}

function differenceFrom({ digest, effects }: ShownPlan, plan: Plan): readonly string[] {
  return effects === null || digest === plan.digest ? [] : differenceBlock(effects, effectsOf(plan))
}

function failureOf(error: unknown, platform: string, wasPlanned: boolean): Failure {
  return {
    headline: 'Not applied',
    platform,
    message: [messageOf(error), ...detailsOf(error)].join('\n'),
    diagnostics: findingsIn(error),
    notes: [whatBecame(error, wasPlanned)],
    advice: adviceOn(error),
  }
}

/** The failure takes at most half of the room, and the plan gets the rest. */
function failureContent({ job, sourceLink }: JobReport, plan: Plan | null, failure: Failure): Content {
  return ({ limit }) =>
    withFooter(job, limit, (room) => {
      if (plan === null) return renderFailure(failure, room, sourceLink)
      const said = `${renderFailure(failure, room / 2, sourceLink)}\n#### The plan as it is now\n\n`
      const budget = room - sizeOf(said)
      return `${said}${fitMarkdown(plan, { budget, sourceLink, elsewhere: summaryLink(job) })}`
    })
}

function markerOf({ job: { commit, run }, platform }: JobReport, digest: string | null): Marker {
  return { kind: 'apply', platform, commit, run, digest }
}
