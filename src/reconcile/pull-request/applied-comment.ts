import type { Plan } from '../../plan/plan.ts'
import { fitMarkdown } from '../../plan/render/markdown/fit-markdown.ts'
import { codeSpan, quoted, sizeOf } from '../../plan/render/markdown/markdown-text.ts'
import { timeText } from '../../plan/render/change-notes.ts'
import { valueText } from '../../plan/render/value-text.ts'
import { summaryText } from '../apply/apply-text.ts'
import type { Apply } from '../target/target.ts'
import { summaryLink, withFooter } from './comment-frame.ts'
import { headingOf, type JobReport } from './job-report.ts'
import type { Content } from './sticky-comment.ts'

/** The outcome of an apply. */
export interface Applied {
  /** Null if nothing was left to do. */
  readonly apply: Apply | null
  readonly plan: Plan | null
  /** The command that undoes the apply. */
  readonly rollback: string | null
}

/** The final comment of a plan. It tells what was done, by whom, when, and how to undo it. The plan is folded below. */
export function appliedContent(report: JobReport, applied: Applied): Content {
  return ({ limit }) => withFooter(report.job, limit, (room) => appliedText(report, applied, room))
}

/** The text about the apply for the summary of the run. */
export function appliedText(report: JobReport, { apply, plan, rollback }: Applied, limit: number): string {
  const head = [appliedLine(report, apply), '', ...quoted(notesOf(report, apply, rollback))].join('\n')
  if (plan === null || plan.outcome === 'no-changes') return `${head}\n`
  const [open, close] = ['<details><summary>The plan that was applied</summary>', '</details>']
  const budget = limit - sizeOf(head) - open.length - close.length - 8
  const { sourceLink, job } = report
  return [
    head,
    open,
    fitMarkdown(plan, { ...headingOf(report), budget, sourceLink, elsewhere: summaryLink(job) }),
    close,
  ]
    .map((block) => block.trimEnd())
    .join('\n\n')
}

/** `### ✅ Applied: 3 records created on acme.example.com` */
export function appliedLine(report: JobReport, apply: Apply | null): string {
  const { platform, title } = headingOf(report)
  const done = apply === null ? 'nothing was left to do' : summaryText(apply.summary)
  const models = title === undefined ? '' : ` · ${codeSpan(valueText(title, 120))}`
  return `### ✅ Applied: ${done} on ${codeSpan(valueText(platform, 120))}${models}`
}

function notesOf({ job }: JobReport, apply: Apply | null, rollback: string | null): string[] {
  const by = job.actor === null ? '' : `By ${codeSpan(job.actor)}`
  const at = apply === null ? '' : timeText(apply.at)
  const facts = [
    [by, at].filter((part) => part !== '').join(' at '),
    apply === null ? '' : `apply ${codeSpan(apply.uuid)}`,
    `[run ${job.run.id}](${job.runUrl})`,
  ]
  const line = facts.filter((fact) => fact !== '').join(' · ')
  return rollback === null ? [line] : [line, `Roll back: ${codeSpan(rollback)}`]
}
