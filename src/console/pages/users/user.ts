import { HoldfastError } from '../../../lib/errors.ts'
import { createPasswordLink } from '../../../platform/access/accounts/password-links.ts'
import { listIdentities } from '../../../platform/access/delegated/identities.ts'
import { endAllSessions, listSessions } from '../../../platform/access/sessions/sessions.ts'
import { createRecord, deleteRecord } from '../../../platform/records/change-record.ts'
import { findRecord, listRecords } from '../../../platform/records/read-records.ts'
import { ROLE_MEANINGS, ROLES } from '../../../auth/roles.ts'
import { ACCESS } from '../../../records/record-type.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { html, type Html } from '../../../server/login/html.ts'
import { filledWith, type Filled } from '../../form.ts'
import { declarePage, type Redirect, type View, type Visit } from '../../page.ts'
import { block, code, empty } from '../../parts/block.ts'
import { act, form, selectField, send, textField } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'
import { table } from '../../parts/table.ts'
import { age, date } from '../../parts/time.ts'

const CRUMBS = [{ label: 'Users', href: '/users' }]
const TYPE = typeThatSignsIn('person').name
const ALL = { first: 200, after: null }
/** None of the sessions of somebody else is the one that looks. */
const NO_TOKEN = new Uint8Array()

/** `/users/:email`: what somebody may do, and how they sign in. */
export const USER_PAGE = declarePage({
  path: '/users/:email',
  area: 'people',
  right: 'access:admin',
  keepsWithin: false,
  show: async (visit) => shown(visit, await require(visit)),
  receive: (visit, filled) =>
    orRefused(
      () => carryOut(visit, filled),
      async (problem) => shown(visit, await require(visit), problem),
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
  if (wanted === 'link') return linkView(visit, user)
  if (wanted === 'end-sessions') {
    await endAllSessions(context, user.uuid, NO_TOKEN, { exceptCurrent: false })
    visit.noteAccessChange('sessions ended', { account: user.uuid })
  } else if (wanted === 'take-grant') await deleteRecord(context, ACCESS, filled.exact('key'), [])
  else if (wanted === 'grant') {
    const within = filled.text('within')
    const input = { role: filled.text('role'), user: user.key, ...(within !== '' && { within }) }
    await createRecord(context, ACCESS, input, [])
  } else throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
  return { to: `/users/${encodeURIComponent(user.key)}` }
}

async function linkView(visit: Visit, user: StoredRecord): Promise<View> {
  const { context, url, now, zone } = visit
  const { token, expiresAt } = await createPasswordLink(context, user.key, context.actorName)
  visit.noteAccessChange('password link created', { account: user.uuid })
  return {
    title: `A link for ${user.key}`,
    crumbs: CRUMBS,
    status: 201,
    verdict: html`Whoever opens it sets the password of this user, once, until ${date(expiresAt, now, zone)}. It voids
    the links before it, and is shown this once.`,
    body: html`${code('link', `${url.origin}/login/password?link=${token}`)}
      <p><a class="button main" href="/users/${encodeURIComponent(user.key)}">Done</a></p>`,
  }
}

async function shown(visit: Visit, user: StoredRecord, problem: Html | null = null): Promise<View> {
  const { body, key, uuid } = user
  const status = String(body['status'] ?? 'ACTIVATED').toLowerCase()
  return {
    title: typeof body['name'] === 'string' ? body['name'] : key,
    crumbs: CRUMBS,
    place: [html`${key}`, html`${status}`, html`<a href="/model/${TYPE}/${encodeURIComponent(key)}">record</a>`],
    actions: [act(visit.csrf, 'Link to set a password', { act: 'link' })],
    body: html`${problem}
      <div class="blocks">
        ${await roles(visit, key)} ${await sessions(visit, uuid)} ${await identities(visit, uuid)}
      </div>`,
  }
}

async function roles({ context, actor, csrf }: Visit, key: string): Promise<Html> {
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
      act(csrf, 'Take back', { act: 'take-grant', key: grant.key }),
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
          filledWith({ role: 'viewer' }),
          { name: 'role', label: 'Give a role' },
          ROLES.map((role) => ({ value: role, label: `${role}: ${ROLE_MEANINGS[role].allows}` })),
        )}
        ${textField(filledWith({}), {
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
            <p>${act(csrf, 'End all sessions', { act: 'end-sessions' }, 'danger')}</p>`,
  })
}

async function identities({ context, now, zone }: Visit, uuid: string): Promise<Html | null> {
  const found = await listIdentities(context, { account: uuid, method: null, isRefused: null }, ALL)
  if (found.length === 0) return null
  const rows = found.map(({ issuer, subject, email, lastSeenAt }) => ({
    cells: [html`<code>${issuer}</code>`, html`<code>${subject}</code>`, email, date(lastSeenAt, now, zone)],
  }))
  return block({
    title: 'Identities at other providers',
    body: table([{ label: 'Issuer' }, { label: 'Subject' }, { label: 'Address' }, { label: 'Last seen' }], rows),
  })
}
