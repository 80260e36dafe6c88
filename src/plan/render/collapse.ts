import type { FieldChange } from './field-diff.ts'
import type { Change } from '../plan.ts'
import { changedFields } from './record-fields.ts'

/** One entry of the output: a single change, the same update of many records, or many creations. */
export type Entry =
  | { readonly kind: 'one'; readonly change: Change; readonly fields: readonly FieldChange[] }
  | {
      readonly kind: 'same-update'
      readonly changes: readonly [Change, ...Change[]]
      readonly fields: readonly FieldChange[]
    }
  | { readonly kind: 'created'; readonly changes: readonly [Change, ...Change[]] }

interface CollapseLimits {
  /** From this number on, equal updates become one entry. */
  readonly equal: number
  /** More creations of a type than this become one entry. */
  readonly creates: number
}

interface Group {
  readonly changes: [Change, ...Change[]]
  /** The indexes of the changes in the plan. */
  readonly indexes: number[]
  readonly fields: readonly FieldChange[]
}

interface IndexedEntry {
  readonly entry: Entry
  readonly index: number
}

/** The changes of one record type as entries. A group stands where its first change stood. */
export function collapse(changes: readonly Change[], limits: CollapseLimits): Entry[] {
  const groups = new Map<string, Group>()
  for (const [index, change] of changes.entries()) {
    const fields = changedFields(change)
    const id = mayCollapse(change) ? likeness(change, fields) : `alone ${change.key}`
    const group = groups.get(id)
    if (group === undefined) groups.set(id, { changes: [change], indexes: [index], fields })
    else {
      group.changes.push(change)
      group.indexes.push(index)
    }
  }
  return [...groups.values()]
    .flatMap((group) => entriesOf(group, limits))
    .sort((a, b) => a.index - b.index)
    .map(({ entry }) => entry)
}

/** A change that destroys, renames or needs a decision is never part of a group. */
function mayCollapse({ action, guards, secret }: Change): boolean {
  return (action === 'create' || action === 'update') && guards.length === 0 && secret !== 'not compared'
}

/** A text that is equal for changes that read the same. */
function likeness({ action, cause, drift, reason, secret }: Change, fields: readonly FieldChange[]): string {
  return JSON.stringify([
    'like',
    action,
    cause,
    drift ?? null,
    reason ?? null,
    action === 'update' ? [secret ?? null, fields] : null,
  ])
}

function entriesOf({ changes, indexes, fields }: Group, limits: CollapseLimits): IndexedEntry[] {
  const { action } = changes[0]
  const index = indexes[0] ?? 0
  if (action === 'create' && changes.length > limits.creates) return [{ entry: { kind: 'created', changes }, index }]
  if (action === 'update' && changes.length >= Math.max(2, limits.equal))
    return [{ entry: { kind: 'same-update', changes, fields }, index }]
  return changes.map((change, at) => ({ entry: { kind: 'one', change, fields }, index: indexes[at] ?? 0 }))
}

/** The files that many changes come from, most first: `models/heating.yaml (120), models/rooms.yaml (7)`. */
export function filesOf(changes: readonly Change[]): readonly { file: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { source } of changes) if (source) counts.set(source.file, (counts.get(source.file) ?? 0) + 1)
  return [...counts]
    .map(([file, count]) => ({ file, count }))
    .sort((a, b) => b.count - a.count || (a.file < b.file ? -1 : 1))
}
