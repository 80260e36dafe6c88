import { missingRight } from '../../../auth/require-right.ts'
import { listSystems, type System } from '../../../platform/systems/systems.ts'
import { SYSTEM } from '../../../records/entities.ts'
import { html } from '../../../server/html.ts'
import { declarePage } from '../../page.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { changedColumn, searchList } from '../../parts/search-list.ts'

/** `/systems`: the systems that the person may see, sorted by name. */
export const SYSTEMS_PAGE = declarePage({
  path: '/systems',
  area: 'systems',
  right: SYSTEM.rights.read,
  keepsWithin: true,
  show: async (visit) => ({
    title: 'Systems',
    ...(missingRight('', SYSTEM.rights.write, visit.caller, true) === null && {
      actions: [html`<a class="button main" href="/systems/new">New system</a>`],
    }),
    body: await searchList<System>(visit, {
      label: 'Search by name',
      none: (wanted) => nothing(asFarAsSeen('system', visit), wanted),
      list: (filter, page) => listSystems(visit.context, visit.actor, filter, page),
      signOf: ({ status }) => statusSign(status),
      columns: [
        {
          label: 'System',
          cell: ({ uuid, name, isPrototype }) =>
            html`<a href="/systems/${uuid}">${name}</a
              >${isPrototype ? html` <span class="soft">prototype</span>` : null}`,
        },
        {
          label: 'Organization',
          cell: ({ organizationUnit: unit }) => (unit === null ? null : html`<code>${unit}</code>`),
        },
        { label: 'Status', cell: ({ status }) => statusText(status) },
        changedColumn(visit),
      ],
    }),
  }),
})

function nothing(system: string, wanted: string): string {
  return wanted === '' ? `There is no ${system} yet.` : `No ${system} has “${wanted}” in its name.`
}
