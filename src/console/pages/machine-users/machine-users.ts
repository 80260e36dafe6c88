import { typeThatSignsIn } from '../../../records/registry.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/record-search.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { date } from '../../parts/time.ts'
import { peopleTabs } from '../people-tabs.ts'

/** `/machine-users`: programs that sign in as themselves. */
export const MACHINE_USERS_PAGE = declarePage({
  path: '/machine-users',
  area: 'people',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const type = typeThatSignsIn('machine').name
    return {
      title: 'Machine users',
      verdict: html`Programs that sign in as themselves, with a password or by a rule of an authentication method.`,
      tabs: peopleTabs('/machine-users'),
      body: await recordSearch(visit, {
        type,
        label: 'Search by user name',
        none: 'The data model names no machine users yet.',
        columns: [{ label: 'User name' }, { label: 'Status' }, { label: 'Changed', isNumber: true }],
        rowsOf: (records) =>
          records.map(({ key, body, updatedAt }) => ({
            sign: statusSign(body['status']),
            cells: [
              html`<a href="/model/${type}/${encodeURIComponent(key)}"><code>${key}</code></a>`,
              statusText(body['status']),
              date(updatedAt, visit.now, visit.zone),
            ],
          })),
      }),
    }
  },
})
