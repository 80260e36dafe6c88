import { formatCount } from '../../../lib/counted.ts'
import type { Diagnostic } from '../../../lib/diagnostic.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { allowOption, openGuardsOf, yamlEntry } from '../acknowledging.ts'
import { collapse } from '../collapse.ts'
import {
  changeItem,
  deleteLines,
  entryItem,
  guardLines,
  prefixed,
  type MarkdownContext,
  type SourceLink,
} from './markdown-change.ts'
import { isDelete, isUnfolded } from './markdown-detail.ts'
import { codeLink, codeSpan, fence } from './markdown-text.ts'
import type { Action, Change, Plan } from '../../plan.ts'
import { changedFields } from '../record-fields.ts'
import { diagnosticPosition, diagnosticText, errorsFirst } from '../render-diagnostics.ts'
import { scopeLines, scopeText } from '../scope-text.ts'
import { typeCounts } from '../type-counts.ts'
import { openGuards } from '../verdict.ts'

const FEW_CHANGES = 5
const MOST_OPTIONS = 10

export function diagnosticItems({ diagnostics }: Plan, { detail, sourceLink }: MarkdownContext): string[] {
  return diagnosticList(diagnostics, detail.diagnostics, sourceLink)
}

export function diagnosticList(
  diagnostics: readonly Diagnostic[],
  most: number,
  sourceLink: SourceLink | undefined,
): string[] {
  return errorsFirst(diagnostics)
    .slice(0, most)
    .map((diagnostic) => {
      const { file, line, column, severity, code } = diagnostic
      const link =
        file === undefined || line === undefined || column === undefined
          ? undefined
          : sourceLink?.({ file, line, column })
      const position = diagnosticPosition(diagnostic)
      const message = shortened(diagnosticText(diagnostic))
      return `- **${severity}** ${codeSpan(code)}${position === '' ? '' : ` ${codeLink(position, link)}`}: ${codeSpan(message)}`
    })
}

const LONGEST_MESSAGE = 1_000

function shortened(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text
  return `${text.slice(0, LONGEST_MESSAGE).toWellFormed()}… (${formatCount(text.length)} characters)`
}

export function scopeSection(plan: Plan): string[] {
  const rows = scopeLines(plan)
  const changesFirst = [...rows.filter(({ attention }) => attention), ...rows.filter(({ attention }) => !attention)]
  const lines = changesFirst.flatMap(({ label, text, guards, attention }) => [
    ...prefixed(attention ? '! ' : '  ', [`${label}: ${text}`]),
    ...guardLines(guards, '!   '),
  ])
  return ['#### Scope', ...fence('diff', lines)]
}

/** The deletes, moves and guarded changes. They are never folded, and they are left out last. */
export function unfoldedSections({ changes }: Plan, context: MarkdownContext): string[][] {
  const all = changes.filter(isUnfolded)
  const shown = all.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, context.detail.unfolded)
  return KINDS.map(({ title, actions, show }) => {
    const total = all.filter(({ action }) => actions.includes(action)).length
    const some = shown.filter(({ action }) => actions.includes(action))
    if (total === 0) return []
    const count = some.length < total ? `${formatCount(some.length)} of ${formatCount(total)}` : formatCount(total)
    return [`#### ${title} (${count})`, ...(some.length === 0 ? [] : show(some, context))]
  })
}

/**
 * Ranks deletes before other changes, and deletes with open guards first. Changes of the last rank are left out
 * first.
 */
function rankOf(change: Change): number {
  if (!isDelete(change)) return 3
  if (change.guards.length === 0) return 2
  return openGuards(change).length > 0 ? 0 : 1
}

interface Kind {
  readonly title: string
  readonly actions: readonly Action[]
  show(changes: readonly Change[], context: MarkdownContext): string[]
}

const KINDS: readonly Kind[] = [
  { title: 'Deletes', actions: ['delete'], show: deleteBlock },
  { title: 'Moves', actions: ['move'], show: changeItems },
  { title: 'Guarded changes', actions: ['create', 'update'], show: changeItems },
]

function deleteBlock(deletes: readonly Change[], context: MarkdownContext): string[] {
  const lines = deletes.flatMap((change) => deleteLines(change, context))
  return fence('diff', lines)
}

function changeItems(changes: readonly Change[], context: MarkdownContext): string[] {
  return changes.flatMap((change) => changeItem(change, changedFields(change), context, change.type))
}

export function acknowledgeSection(plan: Plan): string[] {
  const guards = openGuardsOf(plan)
  if (guards.length === 0) return []
  const isMany = guards.length > MOST_OPTIONS
  return [
    '#### If the guarded changes are meant',
    'Say so in `holdfast.yaml`, under `acknowledge`, where it is reviewed:',
    ...fence('yaml', guards.map(yamlEntry)),
    isMany ? 'or allow each of them once, from a terminal, for example:' : 'or allow them once, from a terminal:',
    ...fence('sh', guards.slice(0, isMany ? 1 : guards.length).map(allowOption)),
  ]
}

export function typeSection(plan: Plan, type: RecordTypeName, context: MarkdownContext): string[] {
  const changes = plan.changes.filter((change) => change.type === type && !isUnfolded(change))
  if (changes.length === 0) return []
  const { detail } = context
  const summary = `<b>${type}</b>: ${typeCounts(plan, type, changes)}`
  if (!detail.records) return [`- ${summary}`]
  const items = collapse(changes, detail).flatMap((entry) => entryItem(entry, context))
  const open = plan.changes.length <= FEW_CHANGES ? ' open' : ''
  return [`<details${open}><summary>${summary}</summary>`, '', ...items, '', '</details>']
}

/** The scope of all record types, for those who wonder why a type does not change. */
export function scopeTable({ scope, changes }: Plan): string[] {
  const rows = scope.map(
    (row) => `| ${row.type} | ${scopeText(row, changes)} | ${formatCount(row.desired)} | ${formatCount(row.actual)} |`,
  )
  const head = ['| record type | state | in the documents | on the platform |', '|---|---|--:|--:|']
  return ['<details><summary>Scope of all record types</summary>', '', ...head, ...rows, '', '</details>']
}
