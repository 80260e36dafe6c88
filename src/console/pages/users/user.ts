import { itemsOf } from '../../../platform/paging.ts'
import { organizationOf } from '../../../records/types/user.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { listIdentities } from '../../../platform/access/delegated/identity/identities.ts'
import { listPasswordLinks, revokePasswordLink } from '../../../platform/access/accounts/password-links.ts'
import { endAllSessions, listSessions } from '../../../platform/access/sessions/sessions.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../platform/records/change-record.ts'
import { findRecord, listRecords } from '../../../platform/records/read-records.ts'
import { ACCESS } from '../../../records/record-type.ts'
import { recordType, typeThatSignsIn } from '../../../records/registry.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { html, type Html } from '../../../server/html.ts'
import { recordForm } from '../../declared/declared-fields.ts'
import { changeForm, newlyFilled, readFields, showFields } from '../../declared/form.ts'
import { requireRecord, statusActs, statusButtons, thingPage, type Refused } from '../../declared/thing-page.ts'
import { metadataBlock } from '../../metadata/metadata-page.ts'
import type { Filled } from '../../form.ts'
import type { View, Visit } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { act, form, send } from '../../parts/fields.ts'
import { fromGit } from '../../parts/from-git.ts'
import { table } from '../../parts/table.ts'
import { age, date } from '../../parts/time.ts'
import { unchangedSince } from '../../shown-with.ts'
import { metadataOf } from '../metadata.ts'
import { linkView, makeLink } from './password-link.ts'

const TYPE = typeThatSignsIn('person')
const FIELDS = recordForm(TYPE, 'patch')
/** The form that gives a role to this user. It cannot name a group. */
const GRANT = recordForm(recordType(ACCESS), 'create', {
  without: ['user', 'machineUser', 'organization', 'everyone', 'identities'],
  own: { role: { label: 'Give a role' }, within: { label: 'Within an organization or unit' } },
})
const ALL = { first: 200, after: null }
/** No token: the session of the reader is never among the sessions of another person. */
const NO_TOKEN = new Uint8Array()

/** `/users/:email`: a user with rights, sign-in methods and sessions. */
export const USER_PAGE = thingPage<StoredRecord>({
  path: '/users/:email',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  crumbs: [{ label: 'Users', href: '/users' }],
  find: (visit) => requireRecord(visit, TYPE, visit.param('email'), 'user'),
  acts: {
    save: {
      async carryOut({ context, noteAccessChange }, user, filled) {
        const patch = readFields(FIELDS, filled, user.body)
        await updateRecord(context, TYPE.name, user.key, patch, [], unchangedSince(user))
        noteAccessChange('user changed', { account: user.uuid })
      },
    },
    link: { carryOut: (visit, user) => makeLink(visit, user, `A link for ${user.key}`) },
    'revoke-link': {
      async carryOut({ context, noteAccessChange }, { uuid }) {
        await revokePasswordLink(context, uuid)
        noteAccessChange('password link revoked', { account: uuid })
      },
    },
    'end-sessions': {
      ask: (_, { key }) => ({
        title: `End all sessions of ${key}?`,
        cost: html`This person is signed out everywhere, here and in every application, and can sign in again.`,
        button: 'End all sessions',
      }),
      async carryOut({ context, noteAccessChange }, { uuid }) {
        await endAllSessions(context, uuid, NO_TOKEN, { exceptCurrent: false })
        noteAccessChange('sessions ended', { account: uuid })
      },
    },
    grant: {
      async carryOut({ context, noteAccessChange }, user, filled) {
        const input = { ...readFields(GRANT, filled, null), user: user.key }
        const { uuid } = await createRecord(context, ACCESS, input, [])
        noteAccessChange('grant created', { account: user.uuid, target: uuid })
      },
    },
    'take-grant': {
      ask: (visit, user, filled) => askTakeGrant(visit, user, filled.exact('key')),
      async carryOut({ context, noteAccessChange }, user, filled) {
        const { uuid } = await deleteRecord(context, ACCESS, filled.exact('key'), [])
        noteAccessChange('grant deleted', { account: user.uuid, target: uuid })
      },
    },
    ...statusActs<StoredRecord>(
      ({ key }, word) => ({
        title: `${word} ${key}?`,
        cost: html`This person is signed out everywhere and cannot sign in. Their roles stay, and you can activate them
        again; then they sign in again.`,
        button: `${word} the user`,
      }),
      async ({ context, noteAccessChange }, { key, uuid }, status) => {
        await updateRecord(context, TYPE.name, key, { status }, [])
        noteAccessChange(`user ${status.toLowerCase()}`, { account: uuid })
      },
    ),
  },
  show: async (visit, user, refused) =>
    visit.once === null ? shown(visit, user, refused) : linkView(visit, user, visit.once),
})

async function askTakeGrant({ context, actor }: Visit, { key }: StoredRecord, grant: string) {
  const found = await findRecord(context, actor, ACCESS, grant)
  if (found === null) throw new HoldfastError('NOT_FOUND', 'this role was already revoked; reload the page of the user')
  const { role, within = null } = found.body
  return {
    title: `Revoke the role ${String(role)} of ${key}?`,
    cost: html`From the next request on this person may do less
    ${typeof within === 'string' ? html`within <code>${within}</code>` : 'everywhere'}, unless another role allows it.`,
    of: { key: grant },
    button: 'Revoke the role',
  }
}

async function shown(visit: Visit, user: StoredRecord, refused: Refused | null): Promise<View> {
  const { body, key, uuid } = user
  const { csrf } = visit
  const status = String(body['status'] ?? 'ACTIVATED')
  const link = status === 'ACTIVATED' ? [act(csrf, 'Link to set a password', { act: 'link' })] : []
  const sent = (name: string) => (refused?.filled.text('act') === name ? refused.filled : null)
  return {
    title: typeof body['name'] === 'string' ? body['name'] : key,
    place: placeOf(user, status),
    actions: [...link, ...statusButtons(csrf, status)],
    body: html`${refused?.problem ?? (await fromGit(visit, TYPE.name))}
      <div class="blocks">
        ${block({ title: 'Person', body: changeForm({ csrf, fields: FIELDS, values: body, filled: sent('save') }) })}
        ${await roles(visit, uuid, sent('grant') ?? newlyFilled(GRANT, { role: 'viewer' }))}
        ${await sessions(visit, uuid)} ${await openLink(visit, uuid)} ${await identities(visit, uuid)}
        ${metadataBlock(metadataOf(user), 'This user has no metadata.', `/users/${encodeURIComponent(key)}/metadata`)}
      </div>`,
  }
}

function placeOf({ key, body }: StoredRecord, status: string): readonly Html[] {
  const organization = organizationOf(body)
  return [
    html`${key}`,
    html`${status.toLowerCase()}`,
    ...(organization === null
      ? []
      : [html`of <a href="/organizations/${encodeURIComponent(organization)}">${organization}</a>`]),
    html`<a href="/model/${TYPE.name}/${encodeURIComponent(key)}">record</a>`,
  ]
}

async function roles({ context, actor, csrf }: Visit, uuid: string, given: Filled): Promise<Html> {
  const { items } = await listRecords(context, actor, ACCESS, {
    ...ALL,
    filter: { around: [uuid] },
    order: { by: 'KEY', direction: 'ASC' },
  })
  const rows = items.map(({ body, key: grant }) => ({
    cells: [
      String(body['role']),
      typeof body['within'] === 'string' ? body['within'] : 'everywhere',
      act(csrf, 'Take back…', { act: 'ask-take-grant', key: grant }),
    ],
  }))
  return block({
    title: 'Roles of their own',
    note: 'in addition to the roles of everybody and of their organization',
    body: html`${
      rows.length === 0
        ? empty('Nobody has given this user a role of their own.')
        : table([{ label: 'Role' }, { label: 'Where' }, { label: '' }], rows)
    }
    ${form(csrf, html`<input type="hidden" name="act" value="grant" />${showFields(GRANT, given)} ${send('Give the role')}`)}`,
  })
}

async function sessions({ context, csrf, now, zone }: Visit, uuid: string): Promise<Html> {
  const found = await listSessions(context, uuid, NO_TOKEN)
  const rows = found.map(({ agent, network, method, startedAt, lastUsedAt }) => ({
    cells: [agent ?? 'unknown', network, method, date(startedAt, now, zone), age(lastUsedAt, now, zone)],
  }))
  const columns = [
    { label: 'Browser' },
    { label: 'Network' },
    { label: 'By' },
    { label: 'Since' },
    { label: 'Last used' },
  ]
  return block({
    title: 'Sessions',
    note: String(found.length),
    body:
      found.length === 0
        ? empty('Signed in nowhere.')
        : html`${table(columns, rows)}
            <div class="after">${act(csrf, 'End all sessions…', { act: 'ask-end-sessions' }, 'danger')}</div>`,
  })
}

async function openLink({ context, csrf, now, zone }: Visit, uuid: string): Promise<Html | null> {
  const [link] = await listPasswordLinks(context, uuid)
  if (link === undefined) return null
  return block({
    title: 'A link to set a password',
    body: html`<p>
        ${link.createdBy} made it ${age(link.createdAt, now, zone)}. It works until ${date(link.expiresAt, now, zone)}.
      </p>
      <div class="after">${act(csrf, 'Revoke the link', { act: 'revoke-link' }, 'danger')}</div>`,
  })
}

async function identities({ context, now, zone }: Visit, uuid: string): Promise<Html | null> {
  const found = await listIdentities(context, { account: uuid, method: null, isRefused: null }, ALL)
  if (found.length === 0) return null
  const rows = itemsOf(found).map(({ issuer, subject, email, lastSeenAt }) => ({
    cells: [html`<code>${issuer}</code>`, html`<code>${subject}</code>`, email, date(lastSeenAt, now, zone)],
  }))
  return block({
    title: 'Identities at other providers',
    body: table([{ label: 'Issuer' }, { label: 'Subject' }, { label: 'Address' }, { label: 'Last seen' }], rows),
  })
}
