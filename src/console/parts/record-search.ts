import { nextAfter } from '../../platform/paging.ts'
import { listRecords } from '../../platform/records/read-records.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import { html, type Html } from '../../server/html.ts'
import type { Visit } from '../page.ts'
import { cursorAfter } from '../row-after.ts'
import { empty } from './block.ts'
import { search } from './search.ts'
import { MOST_COUNTED_ROWS, pages, rowsBefore, table, type Column, type Row } from './table.ts'

const ON_A_PAGE = 50

interface RecordSearch {
  readonly type: RecordTypeName
  readonly label: string
  readonly columns: readonly Column[]
  rowsOf(records: readonly StoredRecord[]): readonly Row[] | Promise<readonly Row[]>
  /** The text for an empty list. */
  readonly none: string
}

/** A list of records with a field that searches it, page by page. What is searched for and where one is are in the address. */
export async function recordSearch(visit: Visit, { type, label, columns, rowsOf, none }: RecordSearch): Promise<Html> {
  const { searchParams } = visit.url
  const wanted = (searchParams.get('search') ?? '').trim()
  const from = rowsBefore(searchParams)
  const filter = wanted === '' ? {} : { search: wanted }
  const found = await listRecords(visit.context, visit.actor, type, {
    first: ON_A_PAGE,
    after: cursorAfter(visit.url),
    filter,
    order: { by: 'KEY', direction: 'ASC' },
    mostCounted: MOST_COUNTED_ROWS,
  })
  const { items, total } = found
  const after = nextAfter(found)
  const next = after && `?${new URLSearchParams({ ...filter, after, from: String(from + items.length) }).toString()}`
  return html`<div class="filters">${search(label, wanted)}</div>
    ${
      items.length === 0
        ? empty(wanted === '' ? none : `Nothing here contains “${wanted}”.`)
        : html`${table(columns, await rowsOf(items))}
          ${pages({ from, count: items.length, total, next, mostCounted: MOST_COUNTED_ROWS })}`
    }`
}
