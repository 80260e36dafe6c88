import { nextAfter, type Page, type PageRequest } from '../../platform/paging.ts'
import { listRecords } from '../../platform/records/read-records.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import { html, type Html } from '../../server/html.ts'
import type { Visit } from '../page.ts'
import { cursorAfter } from '../row-after.ts'
import { empty } from './block.ts'
import { search } from './search.ts'
import type { Sign } from './sign.ts'
import { statusSign, statusText } from './status.ts'
import { MOST_COUNTED_ROWS, pages, rowsBefore, table, type Cell, type Column } from './table.ts'
import { date } from './time.ts'

const ON_A_PAGE = 50

export interface ListColumn<Item> extends Column {
  cell(item: Item): Cell
}

interface SearchList<Item> {
  readonly label: string
  readonly columns: readonly ListColumn<Item>[]
  signOf(item: Item): Sign
  /** The text of an empty list; `wanted` is empty if there was no search. */
  none(wanted: string): string
  list(filter: { readonly search?: string }, page: PageRequest): Promise<Page<Item>>
}

/** A list with a search field and pages. The address contains the search text and the position. */
export async function searchList<Item>({ url }: Visit, shown: SearchList<Item>): Promise<Html> {
  const { label, columns, signOf, none, list } = shown
  const wanted = (url.searchParams.get('search') ?? '').trim()
  const from = rowsBefore(url.searchParams)
  const filter = wanted === '' ? {} : { search: wanted }
  const found = await list(filter, { first: ON_A_PAGE, after: cursorAfter(url), mostCounted: MOST_COUNTED_ROWS })
  const { items, total } = found
  const after = nextAfter(found)
  const next = after && `?${new URLSearchParams({ ...filter, after, from: String(from + items.length) }).toString()}`
  const rows = items.map((item) => ({ sign: signOf(item), cells: columns.map(({ cell }) => cell(item)) }))
  return html`<div class="filters">${search(label, wanted)}</div>
    ${
      items.length === 0
        ? empty(none(wanted))
        : html`${table(columns, rows)}
          ${pages({ from, count: items.length, total, next, first: `?${new URLSearchParams(filter).toString()}`, mostCounted: MOST_COUNTED_ROWS })}`
    }`
}

interface RecordSearch {
  readonly type: RecordTypeName
  readonly label: string
  readonly columns: readonly ListColumn<StoredRecord>[]
  readonly none: string
  signOf?(record: StoredRecord): Sign
  /** Reads the data that the columns need for these records. */
  prepare?(records: readonly StoredRecord[]): Promise<unknown>
}

/** A list of records with their status and the time of their last change. */
export function recordSearch(visit: Visit, { type, columns, none, prepare, ...shown }: RecordSearch): Promise<Html> {
  const { context, actor } = visit
  const order = { by: 'KEY', direction: 'ASC' } as const
  return searchList<StoredRecord>(visit, {
    signOf: ({ body }) => statusSign(body['status']),
    ...shown,
    none: (wanted) => (wanted === '' ? none : `Nothing here contains “${wanted}”.`),
    columns: [...columns, { label: 'Status', cell: ({ body }) => statusText(body['status']) }, changedColumn(visit)],
    async list(filter, page) {
      const found = await listRecords(context, actor, type, { ...page, filter, order })
      await prepare?.(found.items)
      return found
    },
  })
}

export function changedColumn({ now, zone }: Visit): ListColumn<{ readonly updatedAt: Date }> {
  return { label: 'Changed', isNumber: true, cell: ({ updatedAt }) => date(updatedAt, now, zone) }
}
