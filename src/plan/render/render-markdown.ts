import { RECORD_TYPE_NAMES } from '../../records/record-type.ts'
import { changeLookup } from './change-notes.ts'
import type { MarkdownContext, SourceLink } from './markdown-change.ts'
import { DETAILS, isUnfolded, LEAST, leftOut, type MarkdownDetail } from './markdown-detail.ts'
import {
  acknowledgeSection,
  diagnosticItems,
  scopeSection,
  scopeTable,
  typeSection,
  unfoldedSections,
} from './markdown-sections.ts'
import { codeSpan } from './markdown-text.ts'
import type { Plan } from '../plan.ts'
import { valueText } from './value-text.ts'
import { verdict } from './verdict.ts'

/** GitHub refuses a comment of more than 65,536 characters; the rest is for what the caller puts around it. */
export const MARKDOWN_BUDGET = 64_000
const LEAST_BUDGET = 2_000
const LONGEST_TITLE = 120

export interface MarkdownOptions {
  readonly title?: string
  /** The most characters that the result may have; at least 2,000. */
  readonly budget?: number
  readonly sourceLink?: SourceLink
}

/** The plan as a comment for a pull request, with as much detail as the budget allows. */
export function renderMarkdown(plan: Plan, options: MarkdownOptions = {}): string {
  const { budget = MARKDOWN_BUDGET } = options
  if (budget < LEAST_BUDGET)
    throw new RangeError(`the budget for a plan must be at least ${LEAST_BUDGET} characters, not ${budget}`)
  const lookup = changeLookup(plan.changes)
  const render = (detail: MarkdownDetail) =>
    markdownAt(plan, options, { detail, lookup, sourceLink: options.sourceLink })
  for (const detail of DETAILS) {
    const text = render(detail)
    if (text.length <= budget) return text
  }
  return longestThatFits(plan, budget, render) ?? headOnly(plan, options)
}

/** As many of the deletes, moves and guarded changes as the budget allows. */
function longestThatFits(plan: Plan, budget: number, render: (detail: MarkdownDetail) => string): string | null {
  let [fits, tooMany] = [-1, plan.changes.filter(isUnfolded).length]
  let best: string | null = null
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    const text = render({ ...LEAST, diagnostics: 0, unfolded: middle })
    if (text.length <= budget) [fits, best] = [middle, text]
    else tooMany = middle
  }
  return best
}

function markdownAt(plan: Plan, options: MarkdownOptions, context: MarkdownContext): string {
  const { detail } = context
  const left = leftOut(plan, detail)
  const sections = [
    [firstLine(plan, options)],
    left === null ? [] : [`> ${left}`],
    diagnosticItems(plan, context),
    plan.outcome === 'no-changes' ? [] : scopeSection(plan),
    ...unfoldedSections(plan, context),
    detail.acknowledge ? acknowledgeSection(plan) : [],
    ...RECORD_TYPE_NAMES.map((type) => typeSection(plan, type, context)),
    detail.scopeTable ? scopeTable(plan) : [],
    [`digest ${codeSpan(plan.digest)}`],
  ]
  const blocks = sections.filter((section) => section.length > 0).map((section) => section.join('\n'))
  return `${blocks.join('\n\n')}\n`
}

function firstLine(plan: Plan, { title }: MarkdownOptions): string {
  return `### ${verdict(plan, nameSpan)}${title === undefined ? '' : ` · ${nameSpan(title)}`}`
}

function nameSpan(text: string): string {
  return codeSpan(valueText(text, LONGEST_TITLE))
}

/** When not even the scope fits: hostile or broken input, since its size does not depend on the number of records. */
function headOnly(plan: Plan, options: MarkdownOptions): string {
  return `${firstLine(plan, options)}\n\n> Too long for one comment; **all details are left out**. \`holdfast plan\` shows everything.\n`
}
