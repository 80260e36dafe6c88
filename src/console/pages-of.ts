import type { Page } from '../platform/page.ts'
import type { Html } from '../server/html.ts'
import { pages, rowsBefore } from './parts/table.ts'

/**
 * What is below one page of a list whose place is in the address, where nothing else of the address changes with it. Where
 * the heading of the list has the number, the only page needs nothing below it.
 */
export function pagesOf(
  { searchParams }: URL,
  { items, hasNext, total }: Page<{ readonly uuid: string }>,
): Html | null {
  const from = rowsBefore(searchParams)
  if (from === 0 && !hasNext) return null
  const last = hasNext ? items.at(-1) : undefined
  const next = last === undefined ? null : link(searchParams, { after: last.uuid, from: String(from + items.length) })
  return pages({ from, count: items.length, total, next, first: link(searchParams, {}) })
}

function link(query: URLSearchParams, place: { readonly [name: string]: string }): string {
  const rest = [...query].filter(([name]) => name !== 'after' && name !== 'from')
  return `?${new URLSearchParams([...rest, ...Object.entries(place)]).toString()}`
}
