import { organizationOf } from '../../../records/types/user.ts'
import { missingRight } from '../../../auth/require-right.ts'
import { driftedAmong } from '../../../platform/records/model-overview.ts'
import { fetchManaged } from '../../../platform/records/managed-types.ts'
import { recordId } from '../../../records/record-id.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { html, type Html } from '../../../server/html.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { declarePage, type Visit } from '../../page.ts'
import { recordSearch } from '../../parts/search-list.ts'
import { asFarAsSeen } from '../../parts/as-far-as-seen.ts'
import { statusSign } from '../../parts/status.ts'
import { recordHref } from '../../record-link.ts'
import { peopleTabs } from '../people-tabs.ts'

const TYPE = typeThatSignsIn('person').name

/** `/users`: the users of the data model. */
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
      body: await usersList(visit, mayInvite),
    }
  },
})

function usersList(visit: Visit, mayOpen: boolean): Promise<Html> {
  let drifted: Awaited<ReturnType<typeof driftedAmong>> = new Map()
  const changedBy = (user: StoredRecord) => drifted.get(recordId(user))?.actor
  return recordSearch(visit, {
    type: TYPE,
    label: 'Search by address or name',
    none: `There are no ${asFarAsSeen(TYPE, visit)} yet.`,
    async prepare(users) {
      // Only readers with a role in the whole domain see manual changes.
      if (visit.actor.units === null) drifted = await driftedAmong(visit.context, users)
    },
    signOf(user) {
      const own = statusSign(user.body['status'])
      return own === 'quiet' && changedBy(user) !== undefined ? 'update' : own
    },
    columns: [
      { label: 'User', cell: (user) => userCell(user, mayOpen, changedBy(user)) },
      { label: 'Organization', cell: ({ body }) => organizationOf(body) },
    ],
  })
}

function userCell({ key, body }: StoredRecord, mayOpen: boolean, changedBy: string | undefined): Html {
  const name = typeof body['name'] === 'string' ? body['name'] : null
  const page = mayOpen ? `/users/${encodeURIComponent(key)}` : recordHref({ type: TYPE, key })
  return html`<a href="${page}">${name ?? key}</a> ${name === null ? null : html`<span class="under">${key}</span>`}
    ${changedBy === undefined ? null : html`<a class="under update" href="/drift">by ${changedBy}, not in Git</a>`}`
}
