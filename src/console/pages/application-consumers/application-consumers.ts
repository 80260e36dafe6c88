import { CLIENT_TYPE, identifierOf } from '../../../platform/access/clients/clients.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/record-search.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { date } from '../../parts/time.ts'
import { accessTabs } from '../access-tabs.ts'
import { isJsonList, type Json } from '../../../lib/json.ts'

/** `/application-consumers`: the applications that people and programs may use to sign in. */
export const APPLICATION_CONSUMERS_PAGE = declarePage({
  path: '/application-consumers',
  area: 'access',
  right: 'model:read',
  keepsWithin: false,
  async show(visit) {
    const { caller, now, zone } = visit
    return {
      title: 'Application consumers',
      verdict: html`An application signs people or itself in with a client_id and a secret of its own.`,
      ...(caller.rights.has('access:admin') && {
        actions: [html`<a class="button main" href="/application-consumers/new">New application</a>`],
      }),
      tabs: accessTabs(visit, 'application-consumers'),
      body: await recordSearch(visit, {
        type: CLIENT_TYPE.name,
        label: 'Search by slug or name',
        none: 'There is no application yet.',
        columns: COLUMNS,
        rowsOf: (records) =>
          records.map((record) => ({
            sign: statusSign(record.body['status']),
            cells: [
              html`<a href="/application-consumers/${encodeURIComponent(record.key)}">${String(record.body['name'])}</a>
                <code class="under">${identifierOf(record)}</code>`,
              grantTypesText(record.body['grantTypes']),
              statusText(record.body['status']),
              date(record.updatedAt, now, zone),
            ],
          })),
      }),
    }
  },
})

const COLUMNS = [
  { label: 'Application' },
  { label: 'Signs in by' },
  { label: 'Status' },
  { label: 'Changed', isNumber: true },
]

function grantTypesText(types: Json | undefined): string {
  return isJsonList(types) ? types.join(', ').toLowerCase().replaceAll('_', ' ') : ''
}
