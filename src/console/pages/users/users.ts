import { organizationOf } from '../../../records/types/user.ts'
import { missingRight } from '../../../auth/require-right.ts'
import { driftedAmong } from '../../../platform/records/model-overview.ts'
import { fetchManaged } from '../../../platform/records/managed-types.ts'
import { recordId } from '../../../records/record-id.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage, type Visit } from '../../page.ts'
import { recordSearch } from '../../parts/record-search.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { statusSign, statusText } from '../../parts/status.ts'
import type { Row } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { recordHref } from '../../record-link.ts'
import { peopleTabs } from '../people-tabs.ts'

const TYPE = typeThatSignsIn('person').name

/** `/users`: the people of the data model. */
export const USERS_PAGE = declarePage({
  path: '/users',
  area: 'people',
  right: 'model:read',
  keepsWithin: true,
  async show(visit) {
    const isManaged = (await fetchManaged(visit.context)).has(TYPE)
    const mayInvite = missingRight('', 'access:admin', visit.caller) === null
    return {
      title: 'Users',
      verdict: html`People who may sign in, with a password of their own or by a provider that vouches for their
      address. ${isManaged ? html`<strong>Managed from Git</strong>; what differs from it is marked ~.` : null}`,
      tabs: peopleTabs('/users'),
      actions: mayInvite ? [html`<a class="button main" href="/users/new">Invite somebody</a>`] : [],
      body: await recordSearch(visit, {
        type: TYPE,
        label: 'Search by address or name',
        none: `There are no ${asFarAsSeen(TYPE, visit)} yet.`,
        columns: [
          { label: 'User' },
          { label: 'Organization' },
          { label: 'Status' },
          { label: 'Changed', isNumber: true },
        ],
        rowsOf: async (users) => {
          const drifted = await driftedOf(visit, users)
          return users.map((user) => rowOf(visit, user, drifted.get(recordId(user))?.actor))
        },
      }),
    }
  },
})

/** Only readers with a role in the whole domain see changes made here. */
function driftedOf({ context, actor }: Visit, users: readonly StoredRecord[]): ReturnType<typeof driftedAmong> {
  return actor.units === null ? driftedAmong(context, users) : Promise.resolve(new Map())
}

function rowOf(
  { now, zone, caller }: Visit,
  { key, body, updatedAt }: StoredRecord,
  changedBy: string | undefined,
): Row {
  const ownSign = statusSign(body['status'])
  const name = typeof body['name'] === 'string' ? body['name'] : null
  const mayOpen = missingRight('', 'access:admin', caller) === null
  const page = mayOpen ? `/users/${encodeURIComponent(key)}` : recordHref({ type: TYPE, key })
  const drift =
    changedBy === undefined ? null : html`<a class="under update" href="/drift">by ${changedBy}, not in Git</a>`
  return {
    sign: ownSign === 'quiet' && changedBy !== undefined ? 'update' : ownSign,
    cells: [
      html`<a href="${page}">${name ?? key}</a>
        ${name === null ? null : html`<span class="under">${key}</span>`}${drift}`,
      organizationOf(body),
      statusText(body['status']),
      date(updatedAt, now, zone),
    ],
  }
}
