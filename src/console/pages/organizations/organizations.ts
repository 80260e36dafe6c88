import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { splitKey } from '../../../records/identity.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage } from '../../page.ts'
import { recordSearch } from '../../parts/search-list.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { peopleTabs } from '../people-tabs.ts'

const DEEPEST_SHOWN = 4

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
      none: `The data model names no ${asFarAsSeen(DATA_TYPES.unit, visit)} yet.`,
      columns: [
        { label: 'Organization or unit', cell: unitLink },
        { label: 'Key', cell: ({ key }) => html`<code>${key}</code>` },
      ],
    }),
  }),
})

/** A link to an organization or unit. Units follow their parent, because the list is sorted by key. */
function unitLink({ key, body }: StoredRecord): Html {
  const depth = Math.min(splitKey(key).length - 1, DEEPEST_SHOWN)
  return html`<a class="depth-${depth}" href="/organizations/${encodeURIComponent(key)}">${nameOf(key, body)}</a>`
}

export function nameOf(key: string, body: StoredRecord['body']): string {
  return typeof body['name'] === 'string' ? body['name'] : (splitKey(key).at(-1) ?? key)
}
