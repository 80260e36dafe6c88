import { textLength } from '../lib/text-length.ts'
import type { Placed } from '../store/cursors.ts'
import type { AnswerBudget } from './answer-budget.ts'

export interface PageRequest {
  readonly first: number
  /** The cursor after which to continue. */
  readonly after: string | null
  /** So many items are counted, and one more where there are more; 0: none; left out if all of them are. */
  readonly mostCounted?: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor behind each item. */
  readonly cursors: readonly string[]
  readonly hasNext: boolean
  /** The number of items on all pages; 0 if they were not counted. */
  readonly total: number
}

/**
 * Makes a page of items that were read with one more than the page may have. Their texts count for the answer at once,
 * because a query may ask for many pages.
 */
export function pageOf<Item>(
  found: readonly Placed<Item>[],
  first: number,
  total: number,
  budget?: AnswerBudget,
): Page<Item> {
  const shown = found.slice(0, first)
  const [items, cursors] = [itemsOf(shown), shown.map(({ cursor }) => cursor)]
  budget?.take(textLength(items))
  return { items, cursors, hasNext: found.length > first, total }
}

export function itemsOf<Item>(found: readonly Placed<Item>[]): Item[] {
  return found.map(({ item }) => item)
}

/** The cursor of the next page; null on the last one. */
export function nextAfter({ cursors, hasNext }: Pick<Page<unknown>, 'cursors' | 'hasNext'>): string | null {
  return hasNext ? (cursors.at(-1) ?? null) : null
}
