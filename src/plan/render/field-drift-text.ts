import { counted } from '../../lib/counted.ts'
import { plainText } from '../../lib/visible-text.ts'
import type { FieldDrift, Plan } from '../plan.ts'
import { recordName, timeText } from './change-notes.ts'
import { diffFields, type FieldChange } from './field-diff.ts'
import { valueText } from './value-text.ts'

/** The fields of one record that were changed on the platform, in the order of the plan. */
export interface DriftedRecord {
  readonly name: string
  readonly differences: readonly FieldChange[]
  /** The fields whose values are not shown. */
  readonly unseen: readonly string[]
  /** `by grace at 2026-05-01 10:00 UTC`, once for each author. */
  readonly authors: readonly string[]
}

/** `3 fields of 2 records`; null if the documents leave no drift open. */
export function driftCounts({ drift = [] }: Pick<Plan, 'drift'>): string | null {
  if (drift.length === 0) return null
  return `${counted(drift.length, 'field')} of ${counted(new Set(drift.map(recordName)).size, 'record')}`
}

export const DRIFT_TITLE = 'Changed on the platform, not in the documents'
export const DRIFT_ADVICE =
  'The documents do not name these fields, so an apply leaves them alone. To decide about them, name them in the documents.'

export function driftSentence(counts: string): string {
  return `${DRIFT_TITLE}: ${counts}.`
}

export function driftedRecords({ drift = [] }: Pick<Plan, 'drift'>): DriftedRecord[] {
  return [...Map.groupBy(drift, recordName)].map(([name, fields]) => ({
    name,
    differences: fields.flatMap(differencesOf),
    unseen: fields.flatMap(unseenText),
    authors: [...new Set(fields.flatMap(authorOf))],
  }))
}

function differencesOf({ field, before, after }: FieldDrift): FieldChange[] {
  return diffFields(before ?? undefined, after ?? undefined, nameText(field))
}

/** Tells only that a field changed if it is a secret, or if the reader of the plan may not see its values. */
function unseenText({ field, before, after }: FieldDrift): string[] {
  if (before === undefined || after === undefined)
    return [`${nameText(field)}  (changed; a token that may read the data model sees how)`]
  return before !== null && before === after ? [`${nameText(field)}  (secret, replaced; not compared)`] : []
}

/** Shortens the name, because plans also come from files, where a field may have any name. */
function nameText(field: string): string {
  return valueText(field, 60)
}

function authorOf({ actor, at }: FieldDrift): string[] {
  if (at === undefined) return []
  return [actor === undefined ? `at ${timeText(at)}` : `by ${plainText(actor)} at ${timeText(at)}`]
}
