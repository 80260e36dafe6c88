import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { html } from '../../../server/login/html.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/record-search.ts'
import { date } from '../../parts/time.ts'
import { peopleTabs } from '../people-tabs.ts'

/** `/organizations`: organizations and their units. The key of a unit is its path. */
export const ORGANIZATIONS_PAGE = declarePage({
  path: '/organizations',
  area: 'people',
  right: 'model:read',
  keepsWithin: true,
  show: async (visit) => ({
    title: 'Organizations',
    verdict: html`Systems and users belong to organizations and their units. A role may count within one of them only.`,
    tabs: peopleTabs('/organizations'),
    body: await recordSearch(visit, {
      type: DATA_TYPES.unit,
      label: 'Search by key or name',
      none: 'The data model names no organizations yet.',
      columns: [{ label: 'Organization or unit' }, { label: 'Below' }, { label: 'Changed', isNumber: true }],
      rowOf: ({ key, body, updatedAt }) => ({
        cells: [
          html`<a href="/model/${DATA_TYPES.unit}/${encodeURIComponent(key)}"
              >${typeof body['name'] === 'string' ? body['name'] : key.split('/').at(-1)}</a
            ><code class="under">${key}</code>`,
          key.includes('/') ? key.slice(0, key.lastIndexOf('/')) : null,
          date(updatedAt, visit.now, visit.zone),
        ],
      }),
    }),
  }),
})
