import { HoldfastError } from '../../../lib/errors.ts'
import {
  createSystemCredential,
  listSystemCredentials,
  revokeSystemCredential,
  type SystemCredential,
} from '../../../platform/systems/credentials.ts'
import type { System } from '../../../platform/systems/systems.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/html.ts'
import { declarePage, type Redirect, type Told, type View, type Visit } from '../../page.ts'
import { block, code, empty } from '../../parts/block.ts'
import { confirmation } from '../../parts/confirm.ts'
import { act } from '../../parts/fields.ts'
import { orRefused } from '../../parts/refused.ts'
import { secret } from '../../parts/secret.ts'
import { table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { requireSystem, systemView } from './system-view.ts'

/** `/systems/:uuid/credentials`: by what the devices of a system sign in. */
export const CREDENTIALS_PAGE = declarePage({
  path: '/systems/:uuid/credentials',
  area: 'systems',
  right: 'access:admin',
  keepsWithin: false,
  show: async (visit) => {
    const system = await requireSystem(visit)
    return visit.once === null ? shown(visit, system) : made(visit, system, visit.once)
  },
  receive: (visit, filled) =>
    orRefused(
      async () => {
        const system = await requireSystem(visit)
        const wanted = filled.text('act')
        if (wanted === 'create') return make(visit, system)
        if (wanted === 'ask-revoke') return ask(visit, system, checkUuid(filled.text('account'), 'account'))
        if (wanted !== 'revoke')
          throw new HoldfastError('BAD_USER_INPUT', 'the form does not say what to do; reload the page')
        const { uuid } = await revokeSystemCredential(visit.context, checkUuid(filled.text('account'), 'account'))
        visit.noteAccessChange('system credential revoked', { account: uuid, target: system.uuid })
        return { to: `/systems/${system.uuid}/credentials` }
      },
      async (problem) => shown(visit, await requireSystem(visit), problem),
    ),
})

async function ask(visit: Visit, { uuid, name }: System, account: string): Promise<View> {
  const found = (await listSystemCredentials(visit.context, uuid)).find((one) => one.uuid === account)
  if (found === undefined) throw new HoldfastError('NOT_FOUND', 'this credential was revoked already')
  return confirmation(visit, {
    title: `Revoke ${found.username}?`,
    crumbs: [
      { label: 'Systems', href: '/systems' },
      { label: name, href: `/systems/${uuid}` },
    ],
    cost: html`The device that signs in with it is signed out and cannot sign in again, so
      <strong>its datapoints are rejected</strong> until it gets another credential.`,
    act: 'revoke',
    of: { account },
    button: 'Revoke the credential',
    back: '?',
  })
}

async function shown(visit: Visit, system: System, problem: Html | null = null): Promise<View> {
  const found = await listSystemCredentials(visit.context, system.uuid)
  return {
    ...systemView(visit, system, 'credentials', html`${problem} ${list(visit, found)}`),
    actions: [act(visit.csrf, 'New credential', { act: 'create' }, 'main')],
  }
}

function list({ csrf, now, zone }: Visit, credentials: readonly SystemCredential[]): Html {
  if (credentials.length === 0)
    return empty(
      'No device of this system can sign in yet. A device with a credential reaches this system and no other one.',
    )
  const rows = credentials.map(({ uuid, username, createdAt }) => ({
    cells: [
      html`<code>${username}</code>`,
      date(createdAt, now, zone),
      act(csrf, 'Revoke…', { act: 'ask-revoke', account: uuid }, 'danger'),
    ],
  }))
  return block({
    title: 'Credentials',
    note: String(rows.length),
    body: table([{ label: 'User name' }, { label: 'Made' }, { label: '' }], rows),
  })
}

async function make(visit: Visit, system: System): Promise<Redirect> {
  const { uuid, username, password } = await createSystemCredential(visit.context, system.uuid)
  visit.noteAccessChange('system credential created', { account: uuid, target: system.uuid })
  return { to: `/systems/${system.uuid}/credentials`, once: { username, password } }
}

function made(visit: Visit, system: System, { username = '', password = '' }: Told): View {
  const next = block({
    title: 'How the device signs in',
    note: 'by an application consumer that lists PASSWORD',
    body: code(
      'sign-in',
      [
        'read -rs PASSWORD    # paste it, and press Enter',
        `printf %s "$PASSWORD" | curl -u 'CLIENT_ID:CLIENT_SECRET' -d grant_type=password -d username=${username} \\`,
        `  --data-urlencode password@- ${visit.origin}/authenticate/token`,
      ].join('\n'),
    ),
  })
  return systemView(
    visit,
    system,
    'credentials',
    secret({ label: `Password of ${username}`, text: password, done: `/systems/${system.uuid}/credentials`, next }),
  )
}
