import { nameSome } from '../../lib/counted.ts'
import { escapeUnseen, plainText } from '../../lib/visible-text.ts'
import { recordId } from '../../records/record-id.ts'
import { countsOf } from '../impact-text.ts'
import type { Change, Guard, Referrer } from '../plan.ts'
import { keyText } from './value-text.ts'

// These texts tell everything about a change except its fields. They are the same in all output formats.

const MOST_REFERRERS = 12

/** Finds the change of a record by its present key on the platform, or else by its new key. */
export type ChangeLookup = (record: Referrer) => Change | undefined

export function changeLookup(changes: readonly Change[]): ChangeLookup {
  // The map is made on first use, because nothing is looked up for creations, and there may be very many of them.
  let byLiveKey: ReadonlyMap<string, Change> | undefined
  return ({ type, key }) => {
    byLiveKey ??= new Map([
      ...changes.map((change) => [recordId(change), change] as const),
      ...changes.map((change) => [recordId({ type: change.type, key: change.from ?? change.key }), change] as const),
    ])
    return byLiveKey.get(recordId({ type, key }))
  }
}

export function recordName({ type, key }: Referrer): string {
  return `${type}/${keyText(key)}`
}

export function sourceText({ source }: Pick<Change, 'source'>): string | null {
  return source === undefined ? null : positionText(source)
}

export function positionText({ file, line, column }: { file: string; line?: number; column?: number }): string {
  return [plainText(file), line, column].filter((part) => part !== undefined).join(':')
}

/** All notes about a change except its guards. */
export function notesOf(change: Change, lookup: ChangeLookup): string[] {
  const notes = [causeNote(change), reasonNote(change), impactNote(change), ...referrerNotes(change, lookup)]
  return notes.filter((note) => note !== null)
}

/** Says who else changed the record; null if the document alone made the difference. */
export function causeNote({ cause, action, drift }: Change): string | null {
  if (cause === 'you') return null
  const who = drift === undefined ? 'since the last apply' : `by ${plainText(drift.actor)} at ${timeText(drift.at)}`
  if (cause === 'drift' && action === 'create') return `deleted on the platform ${who}; the document puts it back`
  if (cause === 'drift' && action === 'delete') return `created on the platform ${who}; the document does not have it`
  if (cause === 'drift') return `changed on the platform ${who}; the document puts it back`
  if (action === 'delete') return `also changed on the platform ${who}; it is deleted nevertheless`
  return `also changed on the platform ${who}; this change overwrites it`
}

export function reasonNote({ reason }: Change): string | null {
  return reason === undefined ? null : `because ${escapeUnseen(reason)}`
}

/** The impact is left out if a guard about data names it already. */
function impactNote({ action, impact, guards }: Change): string | null {
  const counts = countsOf(impact)
  if (counts === '' || guards.some(({ code }) => code.endsWith('-data'))) return null
  return action === 'move' ? `keeps ${counts}` : `in use: ${counts}`
}

function referrerNotes({ referrers = [] }: Change, lookup: ChangeLookup): string[] {
  const groups = Map.groupBy(referrers, (referrer) => whatBecomes(lookup(referrer)))
  return [...groups].map(
    ([label, group]) => `referenced by ${nameSome(group.map(recordName), MOST_REFERRERS)} (${label})`,
  )
}

function whatBecomes(change: Change | undefined): string {
  if (change === undefined) return 'unchanged'
  return change.action === 'delete' ? 'deleted too' : 'changed too'
}

export function guardText({ code, acknowledged, message, examples = [] }: Guard): string {
  const shown = examples.map(({ at, value }) => `${value} at ${at}`).join(', ')
  const text = shown === '' ? message : `${message}, first ${shown}`
  return `${code}${acknowledged ? ' (acknowledged)' : ''}: ${escapeUnseen(text)}`
}

/** `2026-02-03T14:05:09Z` → `2026-02-03 14:05 UTC`; anything else stays as it is. */
export function timeText(at: string): string {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?(?:Z|\+00:00)$/.exec(at) ?? []
  return day === undefined ? plainText(at) : `${day} ${minute} UTC`
}
