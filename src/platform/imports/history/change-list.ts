import {
  CHANGES_IN_PART,
  sectionOf,
  type ChangeOutline,
  type SectionName,
} from '../../../plan/outline/change-outline.ts'
import { likenessOf } from '../../../plan/outline/likeness.ts'
import type { Action, Change } from '../../../plan/plan.ts'
import { parseChanges, unpackText, type ApplyChangeRow } from '../../../store/model/apply-changes.ts'

/** A change of an apply or a plan. For a plan, more is known. */
export interface ListedChange
  extends ApplyChangeRow, Partial<Pick<Change, 'drift' | 'reason' | 'secret' | 'referrers' | 'impact' | 'guards'>> {
  /** The place of the change in the list. */
  readonly index: number
}

/** A list of changes in the database or in memory. Callers read it in parts. */
export interface ChangeList {
  readonly outline: ChangeOutline
  /** The stored parts with these numbers; null: all. */
  fetch(parts: readonly number[] | null): Promise<readonly Uint8Array[]>
}

interface ChangeQuery {
  readonly section?: SectionName | undefined
  readonly action?: Action | undefined
  /** Only changes that look like the one at this place. */
  readonly alike?: number | undefined
  /** A part of a key, of a name, or of a changed field, in any case. */
  readonly search?: string | undefined
  /** The place in the list at which to begin. */
  readonly at: number
  readonly first: number
}

interface FoundChanges {
  readonly changes: readonly ListedChange[]
  readonly total: number
  /** The place at which the next page begins; null after the last one. */
  readonly next: number | null
}

/** The changes at these places. Only their parts are read. */
export async function changesAt(
  list: ChangeList,
  indexes: readonly number[],
): Promise<ReadonlyMap<number, ListedChange>> {
  const parts = [...new Set(indexes.map(partOf))].sort((a, b) => a - b)
  const texts = await Promise.all((await list.fetch(parts)).map(unpackText))
  const changes = new Map(parts.map((part, place) => [part, parsed(part, texts[place] ?? '[]')]))
  return new Map(
    indexes.flatMap((index) => {
      const change = changes.get(partOf(index))?.[index % CHANGES_IN_PART]
      return change === undefined ? [] : [[index, change]]
    }),
  )
}

/** Searches the parts that may contain matches, from the first part to the last. */
export async function findChanges(list: ChangeList, query: ChangeQuery): Promise<FoundChanges> {
  const model = query.alike === undefined ? undefined : (await changesAt(list, [query.alike])).get(query.alike)
  if (query.alike !== undefined && model === undefined) return { changes: [], total: 0, next: null }
  // Without a text and a model, the outline has the count, and the parts after the page are not read.
  const known = model === undefined && query.search === undefined ? countIn(list.outline, query) : null
  const matches = matching(query, model)
  const found: ListedChange[] = []
  let total = 0
  for await (const change of changesIn(list, query, known === null ? null : query.at)) {
    if (!matches(change)) continue
    total += 1
    if (change.index >= query.at && found.length <= query.first) found.push(change)
    if (known !== null && found.length > query.first) break
  }
  const [changes, next] = [found.slice(0, query.first), found[query.first]?.index ?? null]
  return { changes, total: known ?? total, next }
}

/** If the first parts may be enough, parts are read one by one; otherwise together. Each is unpacked after the last. */
async function* changesIn(list: ChangeList, query: ChangeQuery, from: number | null): AsyncGenerator<ListedChange> {
  const wanted = query.search?.toLowerCase()
  const numbers = partsWith(list.outline, query)
  const groups = from === null ? [numbers] : numbers.filter((part) => part >= partOf(from)).map((part) => [part])
  for (const group of groups) {
    const packed = await list.fetch(group)
    for (const [place, part] of group.entries()) {
      const bytes = packed[place]
      const text = bytes === undefined ? '[]' : await unpackText(bytes)
      if (wanted === undefined || holds(text, wanted)) yield* parsed(part, text)
    }
  }
}

function partOf(index: number): number {
  return Math.floor(index / CHANGES_IN_PART)
}

function parsed(part: number, text: string): ListedChange[] {
  return parseChanges(text).map((change, place) => ({ ...change, index: part * CHANGES_IN_PART + place }))
}

/** JSON escapes few characters. A text with such characters is only searched in the parsed changes. */
function holds(text: string, wanted: string): boolean {
  return /["\\\p{Cc}]/u.test(wanted) || text.toLowerCase().includes(wanted)
}

type Matches = (change: ListedChange) => boolean

function matching({ section, action, search }: ChangeQuery, model: ListedChange | undefined): Matches {
  const wanted = search?.toLowerCase()
  const likeness = model === undefined ? null : likenessOf(model)
  return (change) =>
    (section === undefined || sectionOf(change) === section) &&
    (action === undefined || change.action === action) &&
    (model === undefined || (change.type === model.type && likenessOf(change) === likeness)) &&
    (wanted === undefined || searchedText(change).toLowerCase().includes(wanted))
}

/** The text that searches compare with: keys, names, and the changed fields of an update. */
function searchedText({ key, from, action, before, after }: ListedChange): string {
  const names = [before?.['name'], after?.['name']].filter((name) => typeof name === 'string')
  const fields = action === 'update' || action === 'move' ? changedTexts(before ?? {}, after ?? {}) : []
  return [key, from ?? '', ...names, ...fields].join('\n')
}

function changedTexts(before: object, after: object): string[] {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = new Set([...was.keys(), ...is.keys()])
  return [...names].flatMap((name) => {
    const [old, now] = [JSON.stringify(was.get(name)), JSON.stringify(is.get(name))]
    return old === now ? [] : [`${name} ${old} ${now}`]
  })
}

function partsWith({ parts }: ChangeOutline, query: ChangeQuery): number[] {
  return parts.flatMap((part, number) => (countPart(part, query) > 0 ? [number] : []))
}

function countIn({ parts }: ChangeOutline, query: ChangeQuery): number {
  return parts.reduce((sum, part) => sum + countPart(part, query), 0)
}

/** The number of changes in a part that are in the requested section and have the requested action. */
function countPart({ counts }: ChangeOutline['parts'][number], { section, action }: ChangeQuery): number {
  return Object.entries(counts).reduce((sum, [type, ofType]) => {
    const counted = Object.entries(ofType).filter(([done]) => {
      const isInSection = section === undefined || (done === 'delete' ? section === 'delete' : section === type)
      return isInSection && (action === undefined || done === action)
    })
    return sum + counted.reduce((own, [, count]) => own + count, 0)
  }, 0)
}
