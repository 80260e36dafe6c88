import { itemsOf } from '../../../platform/page.ts'
import { organizationOf } from '../../../records/types/user.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { listIdentities } from '../../../platform/access/delegated/identity/identities.ts'
import { listPasswordLinks, revokePasswordLink } from '../../../platform/access/accounts/password-links.ts'
import { endAllSessions, listSessions } from '../../../platform/access/sessions/sessions.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../platform/records/change-record.ts'
import { findRecord, listRecords } from '../../../platform/records/read-records.ts'
import { ROLE_MEANINGS, ROLES } from '../../../auth/roles.ts'
import { isMetadata } from '../../../records/metadata.ts'
import { ACCESS } from '../../../records/record-type.ts'
import { metadataPairs } from '../../metadata/metadata-view.ts'
import { METADATA } from '../../metadata/record-metadata.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { html, type Html } from '../../../server/html.ts'
import { filledWith, withProblems, type Filled } from '../../form.ts'
import { declarePage, type Redirect, type View, type Visit } from '../../page.ts'
import { block, empty } from '../../parts/block.ts'
import { act, form, selectField, send, textField } from '../../parts/fields.ts'
import { fromGit } from '../../parts/from-git.ts'
import { confirmation } from '../../parts/confirm.ts'
import { orRefused } from '../../parts/refused.ts'
import { statusOfAct } from '../../parts/status-act.ts'
import { table } from '../../parts/table.ts'
import { age, date } from '../../parts/time.ts'
import { linkView, makeLink } from '../../people/password-link.ts'
import { merged, mergedOrRefused, shownWith, unchangedSince } from '../../shown-with.ts'
import { shownOfUser, userFields, userOf } from '../../people/user-form.ts'

const CRUMBS = [{ label: 'Users', href: '/users' }]
const TYPE = typeThatSignsIn('person').name
const ALL = { first: 200, after: null }
/** The session that looks is none of those of another person. */
const NO_TOKEN = new Uint8Array()

/** `/users/:email`: what somebody may do, and how they sign in. */
export const USER_PAGE = declarePage({
  path: '/users/:email',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  show: async (visit) => {
    const user = await require(visit)
    return visit.once === null ? shown(visit, user) : linkView(visit, user, visit.once)
  },
  receive: (visit, filled) =>
    orRefused(
      () => carryOut(visit, filled),
      async (problem, details) =>
        shown(visit, await require(visit), { problem, filled: withProblems(filled, details) }),
    ),
})

async function require({ context, actor, param }: Visit): Promise<StoredRecord> {
  const record = await findRecord(context, actor, TYPE, param('email'))
  if (record === null) throw new HoldfastError('NOT_FOUND', `there is no user ${param('email')}`)
  return record
}

async function carryOut(visit: Visit, filled: Filled): Promise<View | Redirect> {
  const { context } = visit
  const user = await require(visit)
  const wanted = filled.text('act')
  if (wanted === 'ask-deactivate' || wanted === 'ask-archive') return ask(visit, user, wanted)
  if (wanted === 'ask-end-sessions') return askEndSessions(visit, user)
  if (wanted === 'ask-take-grant') return askTakeGrant(visit, user, filled.exact('key'))
  if (wanted === 'link') return makeLink(visit, user, `A link for ${user.key}`)
  if (wanted === 'end-sessions') {
    await endAllSessions(context, user.uuid, NO_TOKEN, { exceptCurrent: false })
    visit.noteAccessChange('sessions ended', { account: user.uuid })
  } else if (wanted === 'revoke-link') {
    await revokePasswordLink(context, user.uuid)
    visit.noteAccessChange('password link revoked', { account: user.uuid })
  } else if (wanted === 'take-grant') {
    const { uuid } = await deleteRecord(context, ACCESS, filled.exact('key'), [])
    visit.noteAccessChange('grant deleted', { account: user.uuid, target: uuid })
  } else if (wanted === 'grant') await giveRole(visit, user, filled)
  else if (wanted === 'save') {
    const patch = userOf(mergedOrRefused(filled, shownOfUser(user.body)))
    await updateRecord(context, TYPE, user.key, patch, [], unchangedSince(user))
    visit.noteAccessChange('user changed', { account: user.uuid })
  } else await setStatus(visit, user, wanted)
  return { to: `/users/${encodeURIComponent(user.key)}` }
}

function ask(visit: Visit, { key }: StoredRecord, wanted: 'ask-deactivate' | 'ask-archive'): View {
  const word = wanted === 'ask-archive' ? 'Archive' : 'Deactivate'
  return confirmation(visit, {
    title: `${word} ${key}?`,
    crumbs: CRUMBS,
    cost: html`This person is signed out everywhere and cannot sign in. Their roles stay, and you can activate them
    again; then they sign in again.`,
    act: word.toLowerCase(),
    button: `${word} the user`,
    back: '?',
  })
}

function askEndSessions(visit: Visit, { key }: StoredRecord): View {
  return confirmation(visit, {
    title: `End all sessions of ${key}?`,
    crumbs: CRUMBS,
    cost: html`This person is signed out everywhere, here and in every application, and can sign in again.`,
    act: 'end-sessions',
    button: 'End all sessions',
    back: '?',
  })
}

async function askTakeGrant(visit: Visit, { key }: StoredRecord, grant: string): Promise<View> {
  const found = await findRecord(visit.context, visit.actor, ACCESS, grant)
  if (found === null) throw new HoldfastError('NOT_FOUND', 'this role was already revoked; reload the page of the user')
  const { role, within = null } = found.body
  return confirmation(visit, {
    title: `Revoke the role ${String(role)} of ${key}?`,
    crumbs: CRUMBS,
    cost: html`From the next request on this person may do less
    ${typeof within === 'string' ? html`within <code>${within}</code>` : 'everywhere'}, unless another role allows it.`,
    act: 'take-grant',
    of: { key: grant },
    button: 'Revoke the role',
    back: '?',
  })
}

async function giveRole(visit: Visit, user: StoredRecord, filled: Filled): Promise<void> {
  const within = filled.text('within')
  const input = { role: filled.text('role'), user: user.key, ...(within !== '' && { within }) }
  const { uuid } = await createRecord(visit.context, ACCESS, input, [])
  visit.noteAccessChange('grant created', { account: user.uuid, target: uuid })
}

async function setStatus({ context, noteAccessChange }: Visit, user: StoredRecord, act: string): Promise<void> {
  const status = statusOfAct(act)
  await updateRecord(context, TYPE, user.key, { status }, [])
  noteAccessChange(`user ${status.toLowerCase()}`, { account: user.uuid })
}

interface Again {
  readonly problem: Html
  readonly filled: Filled
}

async function shown(visit: Visit, user: StoredRecord, again?: Again): Promise<View> {
  const { body, key, uuid } = user
  const status = String(body['status'] ?? 'ACTIVATED').toLowerCase()
  return {
    title: typeof body['name'] === 'string' ? body['name'] : key,
    crumbs: CRUMBS,
    place: placeOf(user, status),
    actions: actions(visit.csrf, status),
    body: html`${again?.problem ?? (await fromGit(visit, TYPE))}
      <div class="blocks">
        ${person(visit, body, again?.filled)} ${await roles(visit, key, again?.filled)} ${await sessions(visit, uuid)}
        ${await openLink(visit, uuid)} ${await identities(visit, uuid)} ${metadata(user)}
      </div>`,
  }
}

function placeOf({ key, body }: StoredRecord, status: string): readonly Html[] {
  const organization = organizationOf(body)
  return [
    html`${key}`,
    html`${status}`,
    ...(organization === null
      ? []
      : [html`of <a href="/organizations/${encodeURIComponent(organization)}">${organization}</a>`]),
    html`<a href="/model/${TYPE}/${encodeURIComponent(key)}">record</a>`,
  ]
}

function actions(csrf: string, status: string): readonly Html[] {
  if (status !== 'activated')
    return [act(csrf, 'Activate', { act: 'activate' }), act(csrf, 'Archive…', { act: 'ask-archive' })]
  return [act(csrf, 'Link to set a password', { act: 'link' }), act(csrf, 'Deactivate…', { act: 'ask-deactivate' })]
}

function person({ csrf }: Visit, body: StoredRecord['body'], filled: Filled | undefined): Html {
  const stored = shownOfUser(body)
  const shownIn = filled?.text('act') === 'save' ? merged(filled, stored) : filledWith(stored)
  return block({
    title: 'Person',
    body: form(
      csrf,
      html`<input type="hidden" name="act" value="save" />${shownWith(stored)} ${userFields(shownIn)} ${send('Save')}`,
    ),
  })
}

function metadata({ key, body }: StoredRecord): Html {
  const stored = body[METADATA]
  const items = isMetadata(stored) ? stored : []
  return block({
    title: 'Metadata',
    more: { label: 'Edit', href: `/users/${encodeURIComponent(key)}/metadata` },
    body: items.length === 0 ? empty('This user has no metadata.') : metadataPairs(items),
  })
}

async function roles({ context, actor, csrf }: Visit, key: string, filled: Filled | undefined): Promise<Html> {
  const given = filled?.text('act') === 'grant' ? filled : filledWith({ role: 'viewer' })
  const { items } = await listRecords(context, actor, ACCESS, {
    ...ALL,
    filter: { search: key },
    order: { by: 'KEY', direction: 'ASC' },
  })
  const own = items.filter(({ body }) => body['user'] === key)
  const rows = own.map((grant) => ({
    cells: [
      String(grant.body['role']),
      typeof grant.body['within'] === 'string' ? grant.body['within'] : 'everywhere',
      act(csrf, 'Take back…', { act: 'ask-take-grant', key: grant.key }),
    ],
  }))
  return block({
    title: 'Roles of their own',
    note: 'beside those of everybody and of their organization',
    body: html`${
      rows.length === 0
        ? empty('Nobody has given this user a role of their own.')
        : table([{ label: 'Role' }, { label: 'Where' }, { label: '' }], rows)
    }
    ${form(
      csrf,
      html`<input type="hidden" name="act" value="grant" /> ${selectField(
          given,
          { name: 'role', label: 'Give a role' },
          ROLES.map((role) => ({ value: role, label: `${role}: ${ROLE_MEANINGS[role].allows}` })),
        )}
        ${textField(given, {
          name: 'within',
          label: 'Within an organization or unit',
          hint: 'Its key. Empty: everywhere.',
          isCode: true,
        })}
        ${send('Give the role')}`,
    )}`,
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
