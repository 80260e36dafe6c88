import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { TYPE_ORDER } from '../../records/registry.ts'
import type { Action } from '../plan.ts'
import { likenessOf, type Likable } from './likeness.ts'

// A summary of a list of changes. With it, a page shows a hundred thousand changes after reading fifty. The changes
// are ordered by type and key, and divided into parts of equal size.

export const CHANGES_IN_PART = 1_000

/** Deletions of all types come first, because they cannot be undone. */
export type SectionName = 'delete' | RecordTypeName

export interface ChangeOutline {
  readonly size: number
  readonly sections: readonly SectionOutline[]
  readonly parts: readonly PartOutline[]
}

export interface SectionOutline {
  readonly name: SectionName
  readonly counts: ActionCounts
  readonly rows: readonly OutlineRow[]
  /** The number of changes that no row shows. */
  readonly more: number
}

/** One row: a change, by its place in the list, or several that read the same, by the place of the first one. */
interface OutlineRow {
  readonly index: number
  readonly count: number
}

export type ActionCounts = { readonly [action in Action]?: number }

/** The first and the last record of a part of the list, and the number of changes of each type and action. */
interface PartOutline {
  readonly first: readonly [type: RecordTypeName, key: string]
  readonly last: readonly [type: RecordTypeName, key: string]
  readonly counts: { readonly [type in RecordTypeName]?: ActionCounts }
}

export type Outlined = Likable & RecordKey

export function sectionOf({ type, action }: Pick<Outlined, 'type' | 'action'>): SectionName {
  return action === 'delete' ? 'delete' : type
}

/** Compares records in the order of changes and of the parts of an outline. */
export function compareRecords([type, key]: PartOutline['first'], [otherType, otherKey]: PartOutline['first']): number {
  if (type !== otherType) return (TYPE_ORDER.get(type) ?? 0) - (TYPE_ORDER.get(otherType) ?? 0)
  return key < otherKey ? -1 : key > otherKey ? 1 : 0
}

/** Fewer equal updates, or fewer creations of a type, are shown one by one. */
const FOLDED_FROM = { create: 13, update: 3 }
const MOST_ROWS = 40

interface Group {
  readonly isFolded: (count: number) => boolean
  readonly indexes: number[]
  count: number
}

/** Takes one change after another, so that none of them needs to stay in memory. */
export class Outliner {
  readonly #sections = new Map<SectionName, { readonly groups: Map<string, Group>; readonly counts: Counts }>()
  readonly #parts: { first: PartOutline['first']; last: PartOutline['last']; counts: Map<string, Counts> }[] = []
  #size = 0

  add(change: Outlined): void {
    const { type, key, action } = change
    const at: PartOutline['first'] = [type, key]
    if (this.#size % CHANGES_IN_PART === 0) this.#parts.push({ first: at, last: at, counts: new Map() })
    const part = this.#parts.at(-1)
    if (part === undefined) throw new Error('a change is in no part')
    part.last = at
    raise(getOrPut(part.counts, type, newCounts), action)
    const section = getOrPut(this.#sections, sectionOf(change), () => ({ groups: new Map(), counts: newCounts() }))
    raise(section.counts, action)
    this.#group(section.groups, change)
    this.#size += 1
  }

  #group(groups: Map<string, Group>, change: Outlined): void {
    const likeness = likenessOf(change)
    const most = change.action === 'create' ? FOLDED_FROM.create : FOLDED_FROM.update
    const isFolded = (count: number) => likeness !== null && count >= most
    const group = getOrPut(groups, likeness ?? `alone ${this.#size}`, () => ({ isFolded, indexes: [], count: 0 }))
    // After folding, only the first change of the group is shown.
    if (group.count < most) group.indexes.push(this.#size)
    group.count += 1
  }

  get outline(): ChangeOutline {
    const sections = [...this.#sections].sort(([a], [b]) => placeOf(a) - placeOf(b))
    return {
      size: this.#size,
      sections: sections.map(([name, { groups, counts }]) => {
        const rows = rowsOf([...groups.values()])
        const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
        const shown = rows.reduce((sum, { count }) => sum + count, 0)
        return { name, counts: Object.fromEntries(counts), rows, more: total - shown }
      }),
      parts: this.#parts.map(({ first, last, counts }) => ({
        first,
        last,
        counts: Object.fromEntries([...counts].map(([type, ofType]) => [type, Object.fromEntries(ofType)])),
      })),
    }
  }
}

function placeOf(name: SectionName): number {
  return name === 'delete' ? -1 : (TYPE_ORDER.get(name) ?? 0)
}

/** Rows in the order of the changes. Folded rows are left out only if there are too many of them. */
function rowsOf(groups: readonly Group[]): readonly OutlineRow[] {
  const isFolded = (group: Group) => group.isFolded(group.count)
  const folded = groups.filter(isFolded).map(({ indexes: [index = 0], count }) => ({ index, count }))
  const alone = groups.filter((group) => !isFolded(group)).flatMap(({ indexes }) => indexes)
  const largest = folded.toSorted((a, b) => b.count - a.count).slice(0, MOST_ROWS / 2)
  const single = alone
    .sort((a, b) => a - b)
    .slice(0, MOST_ROWS - largest.length)
    .map((index) => ({ index, count: 1 }))
  return [...largest, ...single].sort((a, b) => a.index - b.index)
}

type Counts = Map<string, number>

function newCounts(): Counts {
  return new Map()
}

function raise(counts: Counts, action: string): void {
  counts.set(action, (counts.get(action) ?? 0) + 1)
}

function getOrPut<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
