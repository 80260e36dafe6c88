import { counted, nameSome } from '../../../lib/counted.ts'
import { displayWidth, padToWidth } from '../../../lib/display-width.ts'
import { lineWidth, styled, wrapLine, type Line, type Style } from '../../../lib/styled-line.ts'
import { plainText } from '../../../lib/visible-text.ts'
import {
  causeNote,
  guardText,
  notesOf,
  reasonNote,
  recordName,
  sourceText,
  type ChangeLookup,
} from '../change-notes.ts'
import type { FieldChange } from '../field-diff.ts'
import { filesOf, type Entry } from '../collapse.ts'
import type { Action, Change, Plan } from '../../plan.ts'
import { fieldValues, secretText } from '../record-fields.ts'
import { fieldLines, secretLines } from './text-fields.ts'
import { keyText } from '../value-text.ts'
import { DRIFT_ADVICE, DRIFT_TITLE, driftCounts, driftedRecords } from '../field-drift-text.ts'

export const SIGNS: { readonly [action in Action]: { sign: string; style: Style } } = {
  create: { sign: '+', style: 'added' },
  update: { sign: '~', style: 'changed' },
  delete: { sign: '-', style: 'removed' },
  move: { sign: '→', style: 'moved' },
}

/** The indentation of everything below the name of a record. */
export const INDENT = 6
const MOST_KEYS = 20
const MOST_FILES = 6

export interface TextLayout {
  readonly width: number
  /** The column where positions begin. */
  readonly column: number
  readonly lookup: ChangeLookup
}

export function headingLines(title: string, width: number, counts = ''): Line[] {
  const line = [styled(title, 'strong')]
  return counts === '' ? [line] : wrapLine([...line, '  ', styled(counts, 'dim')], width, 2)
}

/** The column for the positions of these entries. It is behind the longest name that leaves room for positions. */
export function positionColumn(names: readonly string[], width: number): number {
  const room = Math.floor(width * 0.55)
  const widths = names.map(displayWidth).filter((name) => name <= room)
  return 4 + widths.reduce((widest, name) => Math.max(widest, name), 0) + 2
}

export function entryName(entry: Entry): string {
  return entry.kind === 'one' ? changeName(entry.change) : counted(entry.changes.length, 'record')
}

export function changeName({ key, from }: Change): string {
  return from === undefined ? keyText(key) : `${keyText(key)} (was ${keyText(from)})`
}

export function entryLines(entry: Entry, layout: TextLayout): Line[] {
  if (entry.kind === 'one') return changeLines(entry, layout)
  const [first] = entry.changes
  const head = headLines(first, entryName(entry), filesText(entry), layout)
  const notes = [causeNote(first), reasonNote(first)].filter((note) => note !== null)
  const remarks = notes.flatMap((note) => noteLines(note, 'warning', layout))
  if (entry.kind === 'created') return [...head, ...remarks]
  const keys = nameSome(
    entry.changes.map(({ key }) => keyText(key)),
    MOST_KEYS,
  )
  return [...head, ...differenceLines(first, entry.fields, layout), ...remarks, ...noteLines(keys, 'dim', layout)]
}

function filesText({ kind, changes }: Exclude<Entry, { kind: 'one' }>): string {
  const files = filesOf(changes).map(({ file, count }) => `${plainText(file)} (${count})`)
  const hint = kind === 'created' ? ['--format json lists them'] : []
  return [nameSome(files, MOST_FILES), ...hint].filter((part) => part !== '').join(' · ')
}

function changeLines({ change, fields }: Extract<Entry, { kind: 'one' }>, layout: TextLayout): Line[] {
  const body = change.action === 'create' ? bodyLines(change, layout) : differenceLines(change, fields, layout)
  return [
    ...headLines(change, changeName(change), positionOrReason(change), layout),
    ...body,
    ...remarkLines(change, layout),
  ]
}

function differenceLines(change: Change, fields: readonly FieldChange[], { width }: TextLayout): Line[] {
  return [...fieldLines(fields, INDENT, width), ...secretLines(change, INDENT, width)]
}

/** Names the record with its type, because the deletes of all types stand together. */
export function deleteLines(change: Change, layout: TextLayout): Line[] {
  const head = headLines(change, recordName(change), positionOrReason(change), layout)
  const body = change.reason === undefined ? shortBodyLines(change, layout) : []
  return [...head, ...body, ...remarkLines(change, layout)]
}

/** The position in the document, or the reason for a change that the document does not ask for. */
export function positionOrReason(change: Change): string | null {
  return sourceText(change) ?? reasonNote(change)
}

/** ` ~ name position`. If the position does not fit, it gets a line of its own. */
export function headLines(
  { action }: Change,
  name: string,
  position: string | null,
  { width, column }: TextLayout,
): Line[] {
  const { sign, style } = SIGNS[action]
  const start: Line = ['  ', styled(`${sign} `, style)]
  if (position === null) return [[...start, styled(name, style)]]
  const padded = padToWidth(name, column - 6)
  const line: Line = [...start, styled(name, style), `${padded.slice(name.length)}  `, styled(position, 'dim')]
  if (lineWidth(line) <= width) return [line]
  return [[...start, styled(name, style)], ...wrapLine([' '.repeat(INDENT), styled(position, 'dim')], width, INDENT)]
}

/** The fields of a created record, in one paragraph. */
function bodyLines(change: Change, { width }: TextLayout): Line[] {
  const parts = bodyParts(change).flatMap((part, index) => separated(part, index === 0))
  return parts.length === 0 ? [] : wrapLine([' '.repeat(INDENT), ...parts], width, INDENT)
}

/** The fields of a deleted record that fit on one line. They are enough to recognise the record. */
function shortBodyLines(change: Change, { width }: TextLayout): Line[] {
  const line: Line[number][] = [' '.repeat(INDENT)]
  for (const part of bodyParts(change)) {
    const more = separated(part, line.length === 1)
    if (lineWidth([...line, ...more]) <= width) line.push(...more)
  }
  return line.length === 1 ? [] : [line]
}

function separated(part: Line, isFirst: boolean): Line {
  return isFirst ? part : [styled(' · ', 'dim'), ...part]
}

function bodyParts(change: Change): Line[] {
  const values = fieldValues(change.type, change.key, change.after ?? change.before ?? {})
  const secret = secretText(change)
  return [...values, ...(secret === null ? [] : [secret])].map(({ name, text }) => [styled(`${name}: `, 'dim'), text])
}

export function remarkLines(change: Change, layout: TextLayout): Line[] {
  const position = positionOrReason(change)
  const said = notesOf(change, layout.lookup).filter((note) => note !== position)
  const notes = said.flatMap((note) => noteLines(note, note === causeNote(change) ? 'warning' : 'dim', layout))
  return [...notes, ...guardLines(change.guards, INDENT, layout.width)]
}

export function noteLines(note: string, style: Style, { width }: TextLayout): Line[] {
  return wrapLine([' '.repeat(INDENT), styled(note, style)], width, INDENT + 2)
}

export function guardLines(guards: Change['guards'], indent: number, width: number): Line[] {
  return guards.flatMap((guard) => {
    const style = guard.acknowledged ? 'dim' : 'error'
    return wrapLine([' '.repeat(indent), styled(`! ${guardText(guard)}`, style)], width, indent + 2)
  })
}

const MOST_RECORDS = 20

/** The drift that no document decides about. */
export function driftLines(plan: Plan, width: number): Line[] {
  const counts = driftCounts(plan)
  if (counts === null) return []
  const records = driftedRecords(plan)
  const more = records.length - MOST_RECORDS
  const rest = `… and ${counted(more, 'more record')}; --format json lists them`
  return [
    ...headingLines(DRIFT_TITLE, width, counts),
    ...wrapLine(['  ', styled(DRIFT_ADVICE, 'dim')], width, 2),
    ...records
      .slice(0, MOST_RECORDS)
      .flatMap(({ name, differences, unseen, authors }) => [
        ...wrapLine(['  ', name], width, INDENT),
        ...fieldLines(differences, INDENT, width),
        ...unseen.flatMap((text) => wrapLine([' '.repeat(INDENT), styled('~ ', 'changed'), text], width, INDENT + 2)),
        ...authors.flatMap((author) => wrapLine([' '.repeat(INDENT), styled(author, 'warning')], width, INDENT)),
      ]),
    ...(more > 0 ? wrapLine([`  ${rest}`], width, 4) : []),
  ]
}
