import { typeThatSignsIn } from '../../../records/registry.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/search-list.ts'
import { recordLink } from '../../record-link.ts'
import { peopleTabs } from '../people-tabs.ts'

/** `/machine-users`: programs that sign in as themselves. */
export const MACHINE_USERS_PAGE = declarePage({
  path: '/machine-users',
  area: 'people',
  right: 'model:read',
  keepsWithin: true,
  show: async (visit) => ({
    title: 'Machine users',
    verdict: html`Programs that sign in as themselves, with a password or by a rule of an authentication method.`,
    tabs: peopleTabs('/machine-users'),
    body: await recordSearch(visit, {
      type: typeThatSignsIn('machine').name,
      label: 'Search by user name',
      none: 'The data model names no machine users yet.',
      columns: [{ label: 'User name', cell: recordLink }],
    }),
  }),
})
