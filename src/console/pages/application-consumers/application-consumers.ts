import { identifierOf } from '../../../platform/access/clients/clients.ts'
import { CLIENT_TYPE } from '../../../platform/access/clients/clients.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import { html } from '../../../server/login/html.ts'
import { declarePage } from '../../page.ts'
import { empty } from '../../parts/block.ts'
import { search } from '../../parts/search.ts'
import { pages, table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { accessTabs } from '../access-tabs.ts'
import { textsOf } from './consumer-form.ts'

const ON_A_PAGE = 50

/** `/application-consumers`: the applications that people and programs may use to sign in. */
export const APPLICATION_CONSUMERS_PAGE = declarePage({
  path: '/application-consumers',
  area: 'access',
  right: 'model:read',
  keepsWithin: false,
  async show({ context, actor, caller, url: { searchParams }, now, zone }) {
    const wanted = searchParams.get('search') ?? ''
    const from = Number(searchParams.get('from') ?? 0)
    const filter = wanted === '' ? {} : { search: wanted }
    const found = await listRecords(context, actor, CLIENT_TYPE.name, {
      first: ON_A_PAGE,
      after: searchParams.get('after'),
      filter,
      order: { by: 'KEY', direction: 'ASC' },
    })
    const last = found.hasNext ? found.items.at(-1) : undefined
    const next = last && new URLSearchParams({ ...filter, after: last.uuid, from: String(from + found.items.length) })
    const rows = found.items.map((record) => ({
      sign: record.body['status'] === 'ACTIVATED' ? ('none' as const) : ('failed' as const),
      cells: [
        html`<a href="/application-consumers/${encodeURIComponent(record.key)}">${String(record.body['name'])}</a>
          <code class="under">${identifierOf(record)}</code>`,
        textsOf(record.body['grantTypes']).join(', ').toLowerCase().replaceAll('_', ' '),
        String(record.body['status']).toLowerCase(),
        date(record.updatedAt, now, zone),
      ],
    }))
    return {
      title: 'Application consumers',
      verdict: html`An application signs people or itself in with a client_id and a secret of its own.`,
      ...(caller.rights.has('access:admin') && {
        actions: [html`<a class="button main" href="/application-consumers/new">New application</a>`],
      }),
      tabs: accessTabs('application-consumers'),
      body: html`<div class="filters">${search('Search by slug or name', wanted)}</div>
        ${
          rows.length === 0
            ? empty(
                wanted === '' ? 'There is no application yet.' : `No application’s slug or name contains “${wanted}”.`,
              )
            : html`${table(COLUMNS, rows)}
              ${pages({ from, count: rows.length, total: found.total, next: next ? `?${next.toString()}` : null })}`
        }`,
    }
  },
})

const COLUMNS = [
  { label: 'Application' },
  { label: 'Signs in by' },
  { label: 'Status' },
  { label: 'Changed', isNumber: true },
]
