import { isJsonList } from '../../../lib/json.ts'
import { CLIENT_TYPE, identifierOf } from '../../../platform/access/clients/clients.ts'
import { html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/search-list.ts'
import { accessTabs } from '../access-tabs.ts'

/** `/application-consumers`: the applications that people and programs may use to sign in. */
export const APPLICATION_CONSUMERS_PAGE = declarePage({
  path: '/application-consumers',
  area: 'access',
  right: 'model:read',
  keepsWithin: false,
  show: async (visit) => ({
    title: 'Application consumers',
    verdict: html`An application signs people or itself in with a client_id and a secret of its own.`,
    ...(visit.caller.rights.has('access:admin') && {
      actions: [html`<a class="button main" href="/application-consumers/new">New application</a>`],
    }),
    tabs: accessTabs(visit, 'application-consumers'),
    body: await recordSearch(visit, {
      type: CLIENT_TYPE.name,
      label: 'Search by slug or name',
      none: 'There is no application yet.',
      columns: [
        {
          label: 'Application',
          cell: (record) =>
            html`<a href="/application-consumers/${encodeURIComponent(record.key)}">${String(record.body['name'])}</a>
              <code class="under">${identifierOf(record)}</code>`,
        },
        { label: 'Signs in by', cell: grantTypesText },
      ],
    }),
  }),
})

function grantTypesText({ body: { grantTypes } }: StoredRecord): string {
  return isJsonList(grantTypes) ? grantTypes.join(', ').toLowerCase().replaceAll('_', ' ') : ''
}
