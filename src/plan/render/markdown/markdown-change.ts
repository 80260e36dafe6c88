import { counted, nameSome } from '../../../lib/counted.ts'
import type { SourcePosition } from '../../../lib/diagnostic.ts'
import { wrapLine } from '../../../lib/styled-line.ts'
import {
  causeNote,
  guardText,
  notesOf,
  positionText,
  reasonNote,
  recordName,
  type ChangeLookup,
} from '../change-notes.ts'
import { filesOf, type Entry } from '../collapse.ts'
import type { FieldChange } from '../field-diff.ts'
import type { MarkdownDetail } from './markdown-detail.ts'
import { codeLink, codeSpan, fence } from './markdown-text.ts'
import { isReplaced, type Action, type Change } from '../../plan.ts'
import { fieldValues, secretText } from '../record-fields.ts'
import { keyText, pairTexts, valueText } from '../value-text.ts'

export type SourceLink = (position: SourcePosition) => string | undefined

export interface MarkdownContext {
  readonly detail: MarkdownDetail
  readonly lookup: ChangeLookup
  readonly sourceLink: SourceLink | undefined
}

export const SIGNS: { readonly [action in Action]: string } = { create: '+', update: '~', delete: '-', move: '→' }
const LONGEST_VALUE = 160
const LONGEST_NOTE = 600
const NOTE_WIDTH = 100
const MOST_FIELDS = 60
const MOST_KEYS = 20

export function entryItem(entry: Entry, context: MarkdownContext): string[] {
  if (entry.kind === 'one') return changeItem(entry.change, entry.fields, context)
  const [first] = entry.changes
  const files = filesOf(entry.changes).map(({ file, count }) => `${codeSpan(file)} (${count})`)
  const head = [`- **${SIGNS[first.action]}** ${counted(entry.changes.length, 'record')}`, nameSome(files, 6)]
  const notes = [causeNote(first), reasonNote(first)].filter((note) => note !== null)
  const keys =
    entry.kind === 'created'
      ? []
      : [
          `  ${nameSome(
            entry.changes.map(({ key }) => codeSpan(keyText(key))),
            MOST_KEYS,
          )}`,
        ]
  const fields = entry.kind === 'created' ? [] : [...fieldLines(entry.fields), ...secretLines(first)]
  return [joined(head), ...keys, ...diff([...fields, ...prefixed('# ', notes)])]
}

/** The record's name, its position in the models, and what happens to it. `group` names the type if types are mixed. */
export function changeItem(
  change: Change,
  fields: readonly FieldChange[],
  { detail, lookup, sourceLink }: MarkdownContext,
  group = '',
): string[] {
  const { source, key, from, action } = change
  const was = from === undefined ? '' : ` (was ${codeSpan(keyText(from))})`
  const position =
    source === undefined ? '' : codeLink(positionText(source), detail.links ? sourceLink?.(source) : undefined)
  const head = joined([
    `- **${SIGNS[action]}** ${codeSpan(group === '' ? keyText(key) : `${group}/${keyText(key)}`)}${was}`,
    position,
  ])
  const notes = prefixed('# ', notesOf(change, lookup))
  const guards = detail.guards ? guardLines(change.guards, '! ') : []
  if (detail.bodies === 0) return [head, ...diff(guards.length > 0 ? [...notes, ...guards] : [])]
  const body = bodyText(change)
  const values = action === 'create' && body !== '' ? [`  ${codeSpan(body)}`] : []
  const differences = action === 'create' ? [] : [...fieldLines(fields), ...secretLines(change)]
  return [head, ...values, ...diff([...differences, ...notes, ...guards])]
}

/** The lines of one delete inside a `diff` block, with one line of its fields if it must be brief. */
export function deleteLines(change: Change, { detail, lookup }: MarkdownContext, isBrief: boolean): string[] {
  const guards = detail.guards ? guardLines(change.guards, '!   ') : []
  if (!detail.deleteNotes) return [`- ${recordName(change)}`, ...guards]
  const body = change.reason === undefined ? bodyText(change) : ''
  const fields = body === '' ? [] : firstLines(prefixed('-   ', [body]), isBrief ? 1 : Infinity)
  return [`- ${recordName(change)}`, ...fields, ...prefixed('#   ', notesOf(change, lookup)), ...guards]
}

function firstLines(lines: readonly string[], most: number): readonly string[] {
  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]} …`] : lines
}

export function guardLines(guards: Change['guards'], prefix: string): string[] {
  return guards.flatMap((guard) => prefixed(guard.acknowledged ? prefix.replace('!', '#') : prefix, [guardText(guard)]))
}

/** Breaks the notes into lines of a readable length. The prefix of a line gives it its colour. */
export function prefixed(prefix: string, notes: readonly string[]): string[] {
  return notes.flatMap((note) => {
    const text =
      note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE).toWellFormed()}… (${note.length} characters)` : note
    return wrapLine([text], NOTE_WIDTH, 2).map((line) => `${prefix}${line.join('')}`)
  })
}

function bodyText(change: Change): string {
  const secret = secretText(change)
  const values = fieldValues(change.type, change.key, change.after ?? change.before ?? {})
  return [...values, ...(secret === null ? [] : [secret])].map(({ name, text }) => `${name}: ${text}`).join(' · ')
}

function secretLines(change: Change): string[] {
  const secret = secretText(change)
  return secret === null ? [] : [`${isReplaced(change.secret) ? '!' : '#'} ${secret.name}  ${secret.text}`]
}

export function fieldLines(fields: readonly FieldChange[]): string[] {
  const more = fields.length - MOST_FIELDS
  const lines = fields.slice(0, MOST_FIELDS).flatMap(fieldLine)
  return more > 0 ? [...lines, `# … and ${counted(more, 'more difference')}`] : lines
}

function fieldLine(field: FieldChange): string[] {
  if (field.kind === 'same') return [`  ${field.path}  (${field.count} unchanged)`]
  if (field.kind === 'added') return [`+ ${field.path}  ${valueText(field.after, LONGEST_VALUE)}`]
  if (field.kind === 'removed') return [`- ${field.path}  ${valueText(field.before, LONGEST_VALUE)}`]
  const [before, after] = pairTexts(field.before, field.after, LONGEST_VALUE)
  return [`- ${field.path}  ${before}`, `+ ${field.path}  ${after}`]
}

function diff(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : fence('diff', lines, '  ')
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}
