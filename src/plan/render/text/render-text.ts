import { formatCount } from '../../../lib/counted.ts'
import { padToWidth } from '../../../lib/display-width.ts'
import { paint, styled, wrapLine, type Line, type Style } from '../../../lib/styled-line.ts'
import { RECORD_TYPE_NAMES, type RecordTypeName } from '../../../records/record-type.ts'
import { allowOption, openGuardsOf, yamlEntry } from '../acknowledging.ts'
import { changeLookup, recordName, type ChangeLookup } from '../change-notes.ts'
import { collapse } from '../collapse.ts'
import { allChanges, type Plan } from '../../plan.ts'
import { driftLines } from './text-drift.ts'
import { diagnosticLines } from '../render-diagnostics.ts'
import { notComparedText } from '../not-compared-text.ts'
import { scopeLines } from '../scope-text.ts'
import { accessLines } from './text-access.ts'
import { deleteLines, entryLines, entryName, guardLines, positionColumn } from './text-change.ts'
import { typeCounts } from '../type-counts.ts'
import { verdict } from '../verdict.ts'
import { ownSentences } from '../own-text.ts'
import { withheldText } from '../withheld-text.ts'

/** What to do with the plan next, e.g. `{label: 'Apply it', command: 'npm run apply'}`. */
export interface NextStep {
  readonly label?: string
  readonly command: string
}

export interface TextOptions {
  readonly color: boolean
  /** The number of columns of the terminal. */
  readonly width: number
  readonly next: NextStep | null
}

const NARROWEST = 40
const LIMITS = { equal: 3, creates: 20 }
const MOST_OPTIONS = 10
const MOST_NOT_COMPARED = 10

interface Context {
  readonly plan: Plan
  readonly width: number
  readonly lookup: ChangeLookup
}

/** Renders the plan for a terminal, without a newline at the end. */
export function renderText(plan: Plan, { color, width, next }: TextOptions): string {
  const columns = Math.max(NARROWEST, width)
  const context = { plan, width: columns, lookup: changeLookup(allChanges(plan)) }
  const isQuiet = plan.outcome === 'no-changes' && allChanges(plan).length === 0 && plan.withheld === undefined
  const sections = isQuiet
    ? [
        [[styled(verdict(plan), 'strong')]],
        ownLines(plan, columns),
        notComparedLines(plan, columns),
        driftLines(plan, columns),
        diagnosticLines(plan.diagnostics),
      ]
    : [
        verdictLines(plan, columns),
        withheldLines(plan, columns),
        ownLines(plan, columns),
        notComparedLines(plan, columns),
        accessLines(plan.access, columns, context.lookup),
        diagnosticLines(plan.diagnostics),
        scopeSection(plan, columns),
        deleteSection(context),
        ...RECORD_TYPE_NAMES.map((type) => typeSection(context, type)),
        driftLines(plan, columns),
        acknowledgeSection(plan, columns),
        footer(plan, next),
      ]
  const filled = sections.filter((section) => section.length > 0)
  return paint(
    filled.flatMap((section, index) => (index === 0 ? section : [[], ...section])),
    color,
  )
}

function verdictLines(plan: Plan, width: number): Line[] {
  const style: Style = plan.outcome === 'blocked' ? 'error' : 'strong'
  return wrapLine([styled(verdict(plan), style)], width, 2)
}

function withheldLines(plan: Plan, width: number): Line[] {
  const text = withheldText(plan)
  return text === null ? [] : wrapLine([styled(text, 'warning')], width, 2)
}

function ownLines(plan: Plan, width: number): Line[] {
  return ownSentences(plan).flatMap((text) => wrapLine([text], width, 2))
}

function notComparedLines(plan: Plan, width: number): Line[] {
  const text = notComparedText(plan, { most: MOST_NOT_COMPARED, showName: (name) => name })
  return text === null ? [] : wrapLine([styled(text, 'warning')], width, 2)
}

function scopeSection(plan: Plan, width: number): Line[] {
  const rows = scopeLines(plan)
  const column = 4 + Math.max(0, ...rows.map(({ label }) => label.length))
  return [
    heading('Scope'),
    ...rows.flatMap(({ label, text, guards, attention }) => [
      ...wrapLine(['  ', styled(padToWidth(label, column - 2), attention ? 'warning' : 'dim'), text], width, column),
      ...guardLines(guards, column, width),
    ]),
  ]
}

function deleteSection({ plan, width, lookup }: Context): Line[] {
  const deletes = plan.changes.filter(({ action }) => action === 'delete')
  if (deletes.length === 0) return []
  const layout = { width, column: positionColumn(deletes.map(recordName), width), lookup }
  return [heading('Deletes', formatCount(deletes.length)), ...deletes.flatMap((change) => deleteLines(change, layout))]
}

/** The changes of a type without its deletes, which have a section of their own. */
function typeSection({ plan, width, lookup }: Context, type: RecordTypeName): Line[] {
  const changes = plan.changes.filter((change) => change.type === type && change.action !== 'delete')
  if (changes.length === 0) return []
  const entries = collapse(changes, LIMITS)
  const layout = { width, column: positionColumn(entries.map(entryName), width), lookup }
  return [heading(type, typeCounts(plan, type, changes)), ...entries.flatMap((entry) => entryLines(entry, layout))]
}

function acknowledgeSection(plan: Plan, width: number): Line[] {
  const guards = openGuardsOf(plan)
  if (guards.length === 0) return []
  const isMany = guards.length > MOST_OPTIONS
  const how = isMany
    ? 'or allow each of them once, from a terminal, for example:'
    : 'or allow them once, from a terminal:'
  return [
    heading('If the guarded changes are meant'),
    ...wrapLine(['  say so in holdfast.yaml, under acknowledge, where it is reviewed:'], width, 2),
    ...guards.map((guard): Line => [`    ${yamlEntry(guard)}`]),
    ...wrapLine([`  ${how}`], width, 2),
    ...guards.slice(0, isMany ? 1 : guards.length).map((guard): Line => [`    ${allowOption(guard)}`]),
  ]
}

function footer({ digest }: Plan, next: NextStep | null): Line[] {
  const lines: Line[] = [[styled(`digest ${digest}`, 'dim')]]
  return next === null ? lines : [...lines, [`${next.label ?? 'Next'}: `, styled(next.command, 'strong')]]
}

function heading(title: string, counts = ''): Line {
  return counts === '' ? [styled(title, 'strong')] : [styled(title, 'strong'), '  ', styled(counts, 'dim')]
}
