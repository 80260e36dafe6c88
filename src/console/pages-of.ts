import { nextAfter, type Page } from '../platform/paging.ts'
import type { Html } from '../server/html.ts'
import { MOST_COUNTED_ROWS, pages, rowsBefore } from './parts/table.ts'

/**
 * The links to the other pages of a list; null if it has a single page, because its heading shows the number of rows.
 * Only the position in the list changes in the address. Up to `MOST_COUNTED_ROWS` rows were counted.
 */
export function pagesOf({ searchParams }: URL, page: Page<unknown>): Html | null {
  const { items, total } = page
  const from = rowsBefore(searchParams)
  const after = nextAfter(page)
  if (from === 0 && after === null) return null
  const next = after === null ? null : link(searchParams, { after, from: String(from + items.length) })
  return pages({
    from,
    count: items.length,
    total,
    next,
    first: link(searchParams, {}),
    mostCounted: MOST_COUNTED_ROWS,
  })
}

function link(query: URLSearchParams, place: { readonly [name: string]: string }): string {
  const rest = [...query].filter(([name]) => name !== 'after' && name !== 'from')
  return `?${new URLSearchParams([...rest, ...Object.entries(place)]).toString()}`
}
