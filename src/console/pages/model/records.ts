import { HoldfastError } from '../../../lib/errors.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import { isDocumentTypeName } from '../../../records/record-type.ts'
import { html, type Html } from '../../../server/login/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage, type Visit } from '../../page.ts'
import { empty } from '../../parts/block.ts'
import { search } from '../../parts/search.ts'
import { pages, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { typeList } from './type-list.ts'

const ON_A_PAGE = 50

/** `/model/:type`: the records of one type. */
export const RECORDS_PAGE = declarePage({
  path: '/model/:type',
  area: 'model',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const type = visit.param('type')
    if (!isDocumentTypeName(type)) throw new HoldfastError('NOT_FOUND', `the data model has no record type ${type}`)
    const { searchParams } = visit.url
    const wanted = searchParams.get('search') ?? ''
    const from = Number(searchParams.get('from') ?? 0)
    const found = await listRecords(visit.context, visit.actor, type, {
      first: ON_A_PAGE,
      after: searchParams.get('after'),
      filter: wanted === '' ? {} : { search: wanted },
      order: { by: 'KEY', direction: 'ASC' },
    })
    const next = nextPage(wanted, from + found.items.length, found.hasNext ? found.items.at(-1) : undefined)
    return {
      title: type,
      crumbs: [{ label: 'Model', href: '/model' }],
      body: html`<div class="before">
        ${typeList(type)}
        <div>
          <div class="filters">${search('Search by key or name', wanted)}</div>
          ${
            found.items.length === 0
              ? empty(wanted === '' ? `There are no ${type} yet.` : `No key or name of ${type} contains “${wanted}”.`)
              : html`${recordTable(visit, found.items)}
                ${pages({ from, count: found.items.length, total: found.total, next })}`
          }
        </div>
      </div>`,
    }
  },
})

const COLUMNS = [{ label: 'Key' }, { label: 'Status' }, { label: 'Changed', isNumber: true }]

function recordTable({ now, zone }: Visit, records: readonly StoredRecord[]): Html {
  return table(
    COLUMNS,
    records.map(({ type, key, body, updatedAt }) => ({
      sign: body['status'] === 'ARCHIVED' ? ('failed' as const) : ('none' as const),
      cells: [
        html`<a href="/model/${type}/${encodeURIComponent(key)}"><code>${key}</code></a>
          ${typeof body['name'] === 'string' ? html`<span class="under">${body['name']}</span>` : null}`,
        typeof body['status'] === 'string' ? body['status'].toLowerCase() : null,
        date(updatedAt, now, zone),
      ],
    })),
  )
}

function nextPage(wanted: string, from: number, last: StoredRecord | undefined): string | null {
  if (last === undefined) return null
  const query = new URLSearchParams({ ...(wanted !== '' && { search: wanted }), after: last.uuid, from: String(from) })
  return `?${query.toString()}`
}
