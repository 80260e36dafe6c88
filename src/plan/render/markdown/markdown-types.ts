import { counted, nameSome } from '../../../lib/counted.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { collapse, type Entry } from '../collapse.ts'
import { SHOWN_TYPES } from '../importance.ts'
import type { Change, Plan } from '../../plan.ts'
import { typeCounts } from '../verdict.ts'
import { keyText } from '../value-text.ts'
import { entryItem, SIGNS, type MarkdownContext } from './markdown-change.ts'
import { isUnfolded, type MarkdownDetail } from './markdown-detail.ts'
import { codeSpan } from './markdown-text.ts'

// The changes that need no decision, in a folded part for each type. Links come after the records that they link.

/** Up to this many changes of a plan are unfolded. */
const FEW_CHANGES = 5
/** Up to this many updates are unfolded, because the table of numbers does not show them. */
const FEW_UPDATES = 20

/** The visible changes of one type at a level of detail. */
export interface TypePart {
  readonly type: RecordTypeName
  readonly changes: readonly Change[]
  /** Shown field by field. */
  readonly whole: readonly Entry[]
  /** Shown by name, or not at all. */
  readonly others: readonly Change[]
}

/** Collapses the changes once for each pair of limits, because this takes long if there are many changes. */
export function typeParts({ changes }: Plan): (detail: MarkdownDetail) => readonly TypePart[] {
  const byType = Map.groupBy(
    changes.filter((change) => !isUnfolded(change)),
    ({ type }) => type,
  )
  const known = new Map<string, ReadonlyMap<RecordTypeName, readonly Entry[]>>()
  return (detail) => {
    const id = `${detail.equal} ${detail.creates}`
    const entries = known.get(id) ?? new Map([...byType].map(([type, some]) => [type, collapse(some, detail)]))
    known.set(id, entries)
    return SHOWN_TYPES.flatMap((type) => {
      const some = byType.get(type)
      return some === undefined ? [] : [partOf(type, some, entries.get(type) ?? [], detail)]
    })
  }
}

/**
 * If not all changes fit, records that somebody edited on the platform come first. Then come groups of many records.
 * Creations come last, because the documents show them.
 */
function partOf(
  type: RecordTypeName,
  changes: readonly Change[],
  entries: readonly Entry[],
  { bodies }: MarkdownDetail,
): TypePart {
  if (entries.length <= bodies) return { type, changes, whole: entries, others: [] }
  const numbers = entries.filter(({ kind }) => kind === 'created')
  const ranked = entries.filter(({ kind }) => kind !== 'created').toSorted((a, b) => weightOf(b) - weightOf(a))
  const whole = [...ranked.slice(0, bodies), ...numbers]
  return { type, changes, whole, others: ranked.slice(bodies).flatMap(changesOf) }
}

function changesOf(entry: Entry): readonly Change[] {
  return entry.kind === 'one' ? [entry.change] : entry.changes
}

function weightOf(entry: Entry): number {
  const changes = changesOf(entry)
  if (changes[0]?.cause !== 'you') return Infinity
  return changes[0].action === 'create' ? 0 : changes.length
}

export function typeSection(plan: Plan, part: TypePart, context: MarkdownContext): string[] {
  const { type, changes, whole, others } = part
  const { names, bodies } = context.detail
  const summary = `<b>${type}</b>: ${typeCounts(plan, type, changes)}`
  // The table of numbers has these changes.
  if (names === 0) return []
  const items = whole.flatMap((entry) => entryItem(entry, context))
  const updates = plan.changes.filter(({ action }) => action === 'update').length
  const isOpen = plan.changes.length <= FEW_CHANGES || (updates <= FEW_UPDATES && changes.some(isUpdate))
  const open = isOpen ? ' open' : ''
  return [
    `<details${open}><summary>${summary}</summary>`,
    '',
    ...items,
    ...othersItems(others, names, bodies > 0),
    '',
    '</details>',
  ]
}

function othersItems(others: readonly Change[], most: number, areMore: boolean): string[] {
  let left = most
  return (['update', 'create'] as const).flatMap((action) => {
    const some = others.filter((change) => change.action === action)
    if (some.length === 0) return []
    const names = nameSome(
      some.map(({ key }) => codeSpan(keyText(key))),
      left,
    )
    left = Math.max(0, left - some.length)
    return [`- **${SIGNS[action]}** ${areMore ? `${counted(some.length, 'more', 'more')}: ` : ''}${names}`]
  })
}

/** The changes of a part that are only counted. */
export function unnamedIn({ others, changes }: TypePart, { names }: MarkdownDetail): readonly Change[] {
  return names === 0 ? changes : others.slice(names)
}

function isUpdate({ action }: Change): boolean {
  return action === 'update'
}
