import { formatCount } from '../../../lib/counted.ts'
import type { Diagnostic } from '../../../lib/diagnostic.ts'
import { openGuardsOf, yamlLines } from '../acknowledging.ts'
import { guardLines, prefixed, type MarkdownContext, type SourceLink } from './markdown-change.ts'
import { codeLink, codeSpan, fence } from './markdown-text.ts'
import type { Plan } from '../../plan.ts'
import { diagnosticPosition, diagnosticText, errorsFirst } from '../render-diagnostics.ts'
import { scopeLines, scopeText } from '../scope-text.ts'
import { SHOWN_TYPES } from '../importance.ts'
import { openGuards } from '../verdict.ts'
import { BREAKS_TITLE, breaksCount, breakSentences } from '../breaks-text.ts'
import type { MarkdownDetail } from './markdown-detail.ts'

/** More lines than this are folded. They are left out only if there is no room. */
const MOST_LINES = 40

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

/** Tells how to acknowledge the guards that stop the apply. Lines that do not fit are only counted. */
export function acknowledgeSection(plan: Plan, { acknowledge }: MarkdownContext['detail']): string[] {
  const guards = openGuardsOf(plan)
  if (guards.length === 0) return []
  const lines = yamlLines(guards.slice(0, acknowledge))
  const more = guards.length - Math.min(acknowledge, guards.length)
  return [
    '#### To go on',
    'If you mean these changes, add to `holdfast.yaml`, each line with its reason:',
    ...folded(fence('yaml', more > 0 ? [...lines, `  # … and ${formatCount(more)} more`] : lines), lines.length),
  ]
}

function folded(block: readonly string[], lines: number): readonly string[] {
  if (lines <= MOST_LINES) return block
  return ['', `<details><summary>${formatCount(lines)} lines to paste</summary>`, '', ...block, '', '</details>', '']
}

/**
 * If only one type changes, with at most this many changes, the table of numbers is left out: the first line says the
 * same.
 */
const FEW_CHANGES = 20

/** The number of changes of each record type, one column for each action that occurs. */
export function countsTable(plan: Plan): string[] {
  const actions = (['create', 'update', 'move', 'delete'] as const).filter((action) => plan.summary[action] > 0)
  const byType = Map.groupBy(plan.changes, ({ type }) => type)
  if (byType.size === 0 || (byType.size === 1 && plan.changes.length <= FEW_CHANGES)) return []
  const isGuarded = openGuardsOf(plan).length > 0
  const rows = SHOWN_TYPES.flatMap((type) => {
    const changes = byType.get(type)
    if (changes === undefined) return []
    const counts = actions.map((action) => changes.filter((change) => change.action === action).length)
    const open = isGuarded ? [changes.flatMap(openGuards).length] : []
    return [
      `| ${[type, ...[...counts, ...open].map((count) => (count === 0 ? '' : formatCount(count)))].join(' | ')} |`,
    ]
  })
  const columns = [...actions, ...(isGuarded ? ['to acknowledge'] : [])]
  return [`| record type | ${columns.join(' | ')} |`, `|---|${'--:|'.repeat(columns.length)}`, ...rows]
}

/** The scope of all record types, for those who wonder why a type does not change. */
export function scopeTable({ scope, changes }: Plan): string[] {
  const rows = scope.map(
    (row) =>
      `| ${row.type} | ${scopeText(row, changes, codeSpan)} | ${formatCount(row.desired)} | ${formatCount(row.live ?? row.actual)} |`,
  )
  const head = ['| record type | state | in the documents | on the platform |', '|---|---|--:|--:|']
  return ['<details><summary>Scope of all record types</summary>', '', ...head, ...rows, '', '</details>']
}

const MOST_BREAKS = 20

/** The members that the types of clients lose, or only their number if there is hardly any room. */
export function breaksSection(plan: Plan, { names }: MarkdownDetail): string[] {
  const count = breaksCount(plan)
  if (count === null) return []
  if (names === 0) return [`> ${BREAKS_TITLE}: ${count}.`]
  const sentences = breakSentences(plan, MOST_BREAKS, codeSpan)
  return [`#### ${BREAKS_TITLE} (${count})`, ...sentences.map((text) => `- **!** ${text}`)]
}
