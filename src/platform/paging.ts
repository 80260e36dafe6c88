import { textLength } from '../lib/text-length.ts'
import type { Placed } from '../store/cursors.ts'
import type { AnswerBudget } from './answer-budget.ts'

export interface PageRequest {
  readonly first: number
  /** The cursor after which the page begins. */
  readonly after: string | null
  /**
   * The maximum number of items that are counted; beyond it, the count is one more. 0: none are counted; left out: all
   * are.
   */
  readonly mostCounted?: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of each item. */
  readonly cursors: readonly string[]
  readonly hasNext: boolean
  /** The number of items on all pages; 0 if they were not counted. */
  readonly total: number
}

/**
 * Makes a page of items. The caller has read one item more than the page holds. Texts count at once, as a query may
 * request many pages.
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
