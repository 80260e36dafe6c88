import { openGuardsOf } from '../acknowledging.ts'
import { changeLookup, type ChangeLookup } from '../change-notes.ts'
import type { SourceLink } from './markdown-change.ts'
import { prominentOf, prominentSections, unnamedCount, type Prominent } from './markdown-prominent.ts'
import { DETAILS, isUnfolded, LEAST, leftOut, type MarkdownDetail, type Missing } from './markdown-detail.ts'
import {
  acknowledgeSection,
  countsTable,
  diagnosticItems,
  scopeSection,
  scopeTable,
  breaksSection,
} from './markdown-sections.ts'
import { typeParts, typeSection, unnamedIn, type TypePart } from './markdown-types.ts'
import { driftCounts, driftSentence } from '../field-drift-text.ts'
import { accessNames, accessSection } from './markdown-access.ts'
import { driftSection } from './markdown-drift.ts'
import { codeSpan, quoted, sizeOf } from './markdown-text.ts'
import { allChanges, type Change, type Plan } from '../../plan.ts'
import { notComparedText } from '../not-compared-text.ts'
import { scopeLines, withheldText } from '../scope-text.ts'
import { valueText } from '../value-text.ts'
import { verdict } from '../verdict.ts'
import { ownSentences } from '../own-text.ts'

/**
 * GitHub documents a limit of 65,536 characters, and rejects more than 262,144 bytes. This number of bytes is below
 * both limits. The rest up to 65,536 is for the text that the caller puts around the plan.
 */
export const MARKDOWN_BUDGET = 64_000
const LEAST_BUDGET = 2_000
const LONGEST_TITLE = 120
const MOST_NOT_COMPARED = 5

export interface MarkdownOptions {
  readonly title?: string
  /** The address of the platform, for the first line. */
  readonly platform?: string
  /** The largest size of the result in bytes, at least 2,000. */
  readonly budget?: number
  /** Markdown for the place right below the first line. */
  readonly notes?: readonly string[]
  /** Markdown that names where the whole plan can be seen. */
  readonly elsewhere?: string
  readonly sourceLink?: SourceLink
}

/** Renders the plan as a comment for a pull request, with as much detail as the budget allows. */
export function fitMarkdown(plan: Plan, options: MarkdownOptions = {}): string {
  const { budget = MARKDOWN_BUDGET } = options
  if (budget < LEAST_BUDGET)
    throw new RangeError(`the budget for a plan must be at least ${LEAST_BUDGET} bytes, not ${budget}`)
  const parts = { lookup: changeLookup(allChanges(plan)), prominent: prominentOf(plan), typesAt: typeParts(plan) }
  const render = (detail: MarkdownDetail) => markdownAt(plan, options, detail, parts)
  for (const detail of DETAILS.filter((detail) => mayFit(plan, detail, budget))) {
    const text = render(detail)
    if (sizeOf(text) <= budget) return text
  }
  return longestThatFits(plan, budget, render) ?? headOnly(plan, options, budget)
}

/** The parts that are equal at all levels of detail. */
interface Parts {
  readonly lookup: ChangeLookup
  readonly prominent: Prominent
  readonly typesAt: ReturnType<typeof typeParts>
}

/** The size of the shortest line that names a record: `- a/b` and its line end. */
const SHORTEST_NAME = 6

/** Rules out levels of detail whose names alone exceed the budget, because rendering 100,000 records takes seconds. */
function mayFit({ changes, access }: Plan, { bodies, creates, folded }: MarkdownDetail, budget: number): boolean {
  const isNamed = (change: Change) =>
    isUnfolded(change) ? folded === Infinity : change.action === 'create' ? creates === Infinity : bodies === Infinity
  return (changes.filter(isNamed).length * SHORTEST_FACT + access.changes.length) * SHORTEST_NAME <= budget
}

/** Equal updates take less than a line each, and so do records that are deleted with another one. */
const SHORTEST_FACT = 1 / 4

/**
 * Finds by bisection how many lines for holdfast.yaml fit, and then how many names of deletes, moves and guarded
 * changes fit.
 */
function longestThatFits(plan: Plan, budget: number, render: (detail: MarkdownDetail) => string): string | null {
  const most = Math.floor(budget / SHORTEST_NAME)
  const fits = (detail: MarkdownDetail) => sizeOf(render(detail)) <= budget
  const lines = largest(Math.min(most, openGuardsOf(plan).length), (acknowledge) =>
    fits({ ...LEAST, unfolded: 0, acknowledge }),
  )
  if (lines === null) return null
  const acknowledge = lines
  const unfolded = largest(LEAST.unfolded, (count) => fits({ ...LEAST, unfolded: count, acknowledge }))
  return unfolded === null ? null : render({ ...LEAST, unfolded, acknowledge })
}

/** The largest number up to `most` that meets a condition; null if none does. All smaller numbers meet it, too. */
function largest(most: number, holds: (count: number) => boolean): number | null {
  if (holds(most)) return most
  let [yes, no] = [-1, most]
  while (no - yes > 1) {
    const middle = Math.floor((yes + no) / 2)
    if (holds(middle)) yes = middle
    else no = middle
  }
  return yes === -1 ? null : yes
}

function markdownAt(plan: Plan, options: MarkdownOptions, detail: MarkdownDetail, parts: Parts): string {
  const { lookup, prominent, typesAt } = parts
  const context = { detail, lookup, sourceLink: options.sourceLink }
  const types = typesAt(detail)
  const left = leftOut(plan, detail, missingAt(detail, prominent, types), elsewhereOf(options))
  const scope = scopeOf(plan)
  const sections = [
    [firstLine(plan, options)],
    quoted([...(options.notes ?? []), ...ownSentences(plan, codeSpan)]),
    left === null ? [] : [`> ${left}`],
    withheldNote(plan),
    notComparedNote(plan, detail),
    countsTable(plan),
    acknowledgeSection(plan, detail),
    accessSection(plan.access, context),
    breaksSection(plan, detail),
    diagnosticItems(plan, context),
    scope.isSteady ? [] : scope.section,
    ...prominentSections(prominent, context),
    ...types.map((part) => typeSection(plan, part, context)),
    driftSection(plan, detail),
    detail.scopeTable ? scopeTable(plan) : scope.isSteady ? scope.section : [],
    [`digest ${codeSpan(plan.digest)}`],
  ]
  const blocks = sections.filter((section) => section.length > 0).map((section) => section.join('\n'))
  return `${blocks.join('\n\n')}\n`
}

function missingAt(detail: MarkdownDetail, prominent: Prominent, types: readonly TypePart[]): Missing {
  const unnamed = types.flatMap((part) => unnamedIn(part, detail))
  const counted = types.flatMap(({ whole }) =>
    whole.flatMap((entry) => (entry.kind === 'created' ? entry.changes : [])),
  )
  const bodies = types.flatMap(({ others, changes }) => (detail.names === 0 ? changes : others))
  return {
    unnamed: unnamedCount(prominent, detail),
    bodies: bodies.length,
    creates: unnamed.filter(isCreate).length + (detail.names === 0 ? 0 : counted.length),
    names: unnamed.filter(isUpdate).length,
  }
}

function withheldNote(plan: Plan): string[] {
  const text = withheldText(plan)
  return text === null ? [] : [`> ${text}`]
}

function notComparedNote(plan: Plan, { names }: MarkdownDetail): string[] {
  const text = notComparedText(plan, { most: names > 0 ? MOST_NOT_COMPARED : 0, showName: codeSpan })
  return text === null ? [] : [`> ${text}`]
}

/** Shows the scope near the top if it changes or has a guard. Otherwise it stands in the table at the end. */
function scopeOf(plan: Plan): { readonly section: string[]; readonly isSteady: boolean } {
  const isSteady = !scopeLines(plan).some(({ attention, guards }) => attention || guards.length > 0)
  return { section: plan.outcome === 'no-changes' ? [] : scopeSection(plan), isSteady }
}

/** The outcome at a glance. */
const SIGNS: { readonly [outcome in Plan['outcome']]: string } = { blocked: '⛔ ', changes: '', 'no-changes': '✅ ' }

function firstLine(plan: Plan, { title, platform }: MarkdownOptions): string {
  return `### ${SIGNS[plan.outcome]}${verdict(plan, nameSpan, platform)}${title === undefined ? '' : ` · ${nameSpan(title)}`}`
}

function nameSpan(text: string): string {
  return codeSpan(valueText(text, LONGEST_TITLE))
}

/**
 * The head alone, for plans whose scope does not fit. The size of the scope does not depend on the number of records,
 * so such a plan is hostile or broken, or has more grants than anyone reads.
 */
function headOnly(plan: Plan, options: MarkdownOptions, budget: number): string {
  const notes = [
    ...(options.notes ?? []),
    ...[withheldText(plan), notComparedText(plan, { most: 0, showName: codeSpan }), driftNote(plan)].filter(
      (text) => text !== null,
    ),
    `Too long for one comment; **all details are left out**. ${elsewhereOf(options)} shows everything.`,
  ]
  const head = `${firstLine(plan, options)}\n\n${quoted(notes).join('\n')}\n`
  const grants = accessNames(plan.access, budget - sizeOf(head) - 1)
  return grants.length === 0 ? head : `${head}\n${grants.join('\n')}\n`
}

function driftNote(plan: Plan): string | null {
  const counts = driftCounts(plan)
  return counts === null ? null : driftSentence(counts)
}

function elsewhereOf({ elsewhere = '`holdfast plan`' }: MarkdownOptions): string {
  return elsewhere
}

function isCreate({ action }: Change): boolean {
  return action === 'create'
}

function isUpdate({ action }: Change): boolean {
  return action === 'update'
}
