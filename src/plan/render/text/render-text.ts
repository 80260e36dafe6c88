import { counted, formatCount } from '../../../lib/counted.ts'
import { padToWidth } from '../../../lib/display-width.ts'
import { escapeUnseen, plainText } from '../../../lib/visible-text.ts'
import { paint, styled, wrapLine, type Line, type Style } from '../../../lib/styled-line.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { allowLines, openGuardsOf, yamlLines, type OpenGuard } from '../acknowledging.ts'
import { BREAKS_TITLE, breaksCount, breakSentences } from '../breaks-text.ts'
import { changeLookup, recordName, type ChangeLookup } from '../change-notes.ts'
import { collapse, type Entry } from '../collapse.ts'
import { followersText, moreText, rootsOf, withoutFollowers, type Root } from '../roots.ts'
import { byImportance, SHOWN_TYPES } from '../importance.ts'
import { allChanges, type Change, type Plan } from '../../plan.ts'
import {
  driftLines,
  deleteLines,
  entryLines,
  entryName,
  guardLines,
  headingLines,
  INDENT,
  noteLines,
  positionColumn,
  type TextLayout,
} from './text-change.ts'
import { diagnosticLines } from '../render-diagnostics.ts'
import { notComparedText } from '../not-compared-text.ts'
import { scopeLines, withheldText } from '../scope-text.ts'
import { accessLines } from './text-access.ts'
import { typeCounts, openGuards, verdict } from '../verdict.ts'
import { ownSentences } from '../own-text.ts'

/** The next step after the plan, e.g. `{label: 'Apply it', command: 'npm run apply'}`. */
interface NextStep {
  readonly label?: string
  readonly command: string
}

interface TextOptions {
  readonly color: boolean
  /** The number of columns of the terminal. */
  readonly width: number
  readonly next: NextStep | null
  /** The platform of the plan, if the reader may not know it. */
  readonly platform?: string
  /** The command that allows guards once, up to its first `--allow`; left out if nobody can or should run it. */
  readonly allow?: string
}

const NARROWEST = 40
const LIMITS = { equal: 3, creates: 20 }
const MOST_OPTIONS = 10
const MOST_NOT_COMPARED = 10
/**
 * More deletes than this are only counted. Fewer are shown with the names of the records that are deleted with them.
 */
const MOST_DELETES = 40
const FEW_DELETES = 12
/** More entries of a type than this are only counted. */
const MOST_ENTRIES = 60

interface Context {
  readonly plan: Plan
  readonly width: number
  readonly lookup: ChangeLookup
}

/** Renders the plan for a terminal, without a newline at the end. */
export function renderText(plan: Plan, { color, width, next, platform, allow }: TextOptions): string {
  const columns = Math.max(NARROWEST, width)
  const sentence = verdict(plan, plainText, platform)
  const context = { plan, width: columns, lookup: changeLookup(allChanges(plan)) }
  const isQuiet = plan.outcome === 'no-changes' && allChanges(plan).length === 0 && plan.withheld === undefined
  const sections = isQuiet
    ? [
        [[styled(sentence, 'strong')]],
        ownLines(plan, columns),
        notComparedLines(plan, columns),
        driftLines(plan, columns),
        diagnosticLines(plan.diagnostics),
      ]
    : [
        verdictLines(plan, sentence, columns),
        withheldLines(plan, columns),
        ownLines(plan, columns),
        notComparedLines(plan, columns),
        accessLines(plan.access, columns, context.lookup),
        breakLines(plan, columns),
        diagnosticLines(plan.diagnostics),
        scopeSection(plan, columns),
        deleteSection(context),
        ...SHOWN_TYPES.map((type) => typeSection(context, type)),
        driftLines(plan, columns),
        acknowledgeSection(plan, columns, allow),
        footer(plan, next),
      ]
  const filled = sections.filter((section) => section.length > 0)
  return paint(
    filled.flatMap((section, index) => (index === 0 ? section : [[], ...section])),
    color,
  )
}

function verdictLines({ outcome }: Plan, sentence: string, width: number): Line[] {
  const style: Style = outcome === 'blocked' ? 'error' : 'strong'
  return wrapLine([styled(sentence, style)], width, 2)
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

const MOST_BREAKS = 20

function breakLines(plan: Plan, width: number): Line[] {
  const sentences = breakSentences(plan, MOST_BREAKS, escapeUnseen)
  if (sentences.length === 0) return []
  const lines = sentences.flatMap((text) => wrapLine(['  ', styled(`! ${text}`, 'warning')], width, 4))
  return [...headingLines(BREAKS_TITLE, width, breaksCount(plan) ?? ''), ...lines]
}

function scopeSection(plan: Plan, width: number): Line[] {
  const rows = scopeLines(plan)
  const natural = 4 + Math.max(0, ...rows.map(({ label }) => label.length))
  // If the labels take most of the width, their texts stand below them.
  const isNarrow = natural > width * 0.45
  const column = isNarrow ? INDENT : natural
  return [
    ...headingLines('Scope', width),
    ...rows.flatMap(({ label, text, guards, attention }) => {
      const style: Style = attention ? 'warning' : 'dim'
      const lines = isNarrow
        ? [['  ', styled(label, style)], ...wrapLine([' '.repeat(column), text], width, column)]
        : wrapLine(['  ', styled(padToWidth(label, column - 2), style), text], width, column)
      return [...lines, ...guardLines(guards, column, width)]
    }),
  ]
}

function deleteSection({ plan, width, lookup }: Context): Line[] {
  const deletes = plan.changes.filter(({ action }) => action === 'delete')
  if (deletes.length === 0) return []
  const roots = rootsOf(deletes).sort(byImportance)
  const shown = roots.slice(0, MOST_DELETES)
  const layout = {
    width,
    column: positionColumn(
      shown.map(({ change }) => recordName(change)),
      width,
    ),
    lookup,
  }
  return [
    ...headingLines('Deletes', width, formatCount(deletes.length)),
    ...shown.flatMap((root) => rootLines(root, shown.length > FEW_DELETES, layout)),
    ...moreLines(roots.slice(MOST_DELETES), width),
  ]
}

/** A delete, and in one line the records that are deleted with it. */
function rootLines(root: Root, isBrief: boolean, layout: TextLayout): Line[] {
  const text = followersText(root, isBrief ? 0 : undefined)
  const lines = deleteLines(withoutFollowers(root), layout)
  return text === null ? lines : [...lines, ...noteLines(text, 'dim', layout)]
}

function moreLines(roots: readonly Root[], width: number): Line[] {
  if (roots.length === 0) return []
  const text = moreText(roots.flatMap(({ change, followers }) => [change, ...followers]))
  return wrapLine(['  ', styled(`${text} · ${HOW_TO_LIST}`, 'warning')], width, 4)
}

const HOW_TO_LIST = '--format json lists them'

/** The changes of a type without its deletes, which have a section of their own. */
function typeSection({ plan, width, lookup }: Context, type: RecordTypeName): Line[] {
  const changes = plan.changes.filter((change) => change.type === type && change.action !== 'delete')
  if (changes.length === 0) return []
  const roots = rootsOf(changes)
  const followers = new Map(roots.map((root) => [root.change, root]))
  const all = collapse(
    roots.map(({ change }) => change),
    LIMITS,
  )
  const entries = all.length > MOST_ENTRIES ? mostImportant(all) : all
  const layout = { width, column: positionColumn(entries.map(entryName), width), lookup }
  const left = all.length === entries.length ? 0 : countIn(all) - countIn(entries)
  return [
    ...headingLines(type, width, typeCounts(plan, type, changes)),
    ...entries.flatMap((entry) => [...entryLines(entry, layout), ...followerLines(entry, followers, layout)]),
    ...(left === 0
      ? []
      : wrapLine(['  ', styled(`… and ${counted(left, 'more', 'more')} · ${HOW_TO_LIST}`, 'warning')], width, 4)),
  ]
}

function followerLines(entry: Entry, roots: ReadonlyMap<Change, Root>, layout: TextLayout): Line[] {
  const root = entry.kind === 'one' ? roots.get(entry.change) : undefined
  const text = root === undefined ? null : followersText(root)
  return text === null ? [] : noteLines(text, 'dim', layout)
}

/** Orders entries: open guards, then drift, then entries for many records. */
function mostImportant(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MOST_ENTRIES)
}

function weightOf(entry: Entry): number {
  if (entry.kind !== 'one') return entry.changes.length
  const { change } = entry
  const rank = openGuards(change).length > 0 ? 3 : change.guards.length > 0 ? 2 : change.cause === 'you' ? 0 : 1
  return rank === 0 ? 1 : rank * 1e9
}

function countIn(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'one' ? 1 : entry.changes.length), 0)
}

function acknowledgeSection(plan: Plan, width: number, command: string | undefined): Line[] {
  const guards = openGuardsOf(plan)
  if (guards.length === 0) return []
  return [
    ...headingLines('If the guarded changes are meant', width),
    ...wrapLine(['  say so in holdfast.yaml, where it is reviewed, each with its reason:'], width, 2),
    ...indented(yamlLines(guards)),
    ...(command === undefined ? [] : allowSection(command, guards, width)),
  ]
}

function allowSection(command: string, guards: readonly OpenGuard[], width: number): Line[] {
  const isMany = guards.length > MOST_OPTIONS
  const how = isMany ? 'or allow each once, for example:' : 'or allow them once, from a terminal:'
  return [...wrapLine([`  ${how}`], width, 2), ...indented(allowLines(command, isMany ? guards.slice(0, 1) : guards))]
}

function indented(lines: readonly string[]): Line[] {
  return lines.map((line) => [`    ${line}`])
}

function footer({ digest }: Plan, next: NextStep | null): Line[] {
  const lines: Line[] = [[styled(`digest ${digest}`, 'dim')]]
  return next === null ? lines : [...lines, [`${next.label ?? 'Next'}: `, styled(next.command, 'strong')]]
}
