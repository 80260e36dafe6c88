import { typeThatSignsIn } from '../../../records/registry.ts'
import { html } from '../../../server/login/html.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/record-search.ts'
import { date } from '../../parts/time.ts'
import { peopleTabs } from '../people-tabs.ts'

/** `/users`: the people of the data model. */
export const USERS_PAGE = declarePage({
  path: '/users',
  area: 'people',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const { now, zone } = visit
    return {
      title: 'Users',
      verdict: html`People whom the data model names. They sign in with a password of their own, or by a provider that
      vouches for their address.`,
      tabs: peopleTabs('/users'),
      body: await recordSearch(visit, {
        type: typeThatSignsIn('person').name,
        label: 'Search by address or name',
        none: 'The data model names no users yet.',
        columns: [
          { label: 'User' },
          { label: 'Organization' },
          { label: 'Status' },
          { label: 'Changed', isNumber: true },
        ],
        rowOf: ({ key, body, updatedAt }) => ({
          sign: body['status'] === 'ACTIVATED' || body['status'] === undefined ? 'none' : 'failed',
          cells: [
            html`<a href="/users/${encodeURIComponent(key)}"
                >${typeof body['name'] === 'string' ? body['name'] : key}</a
              >
              <span class="under">${key}</span>`,
            typeof body['organization'] === 'string' ? body['organization'] : null,
            String(body['status'] ?? 'ACTIVATED').toLowerCase(),
            date(updatedAt, now, zone),
          ],
        }),
      }),
    }
  },
})
