import { HoldfastError } from '../../../lib/errors.ts'
import {
  createSystemCredential,
  listSystemCredentials,
  revokeSystemCredential,
  type SystemCredential,
} from '../../../platform/systems/credentials.ts'
import type { System } from '../../../platform/systems/systems.ts'
import { SYSTEM_CREDENTIAL } from '../../../records/entities.ts'
import { checkUuid } from '../../../server/checked-arguments.ts'
import { html, type Html } from '../../../server/html.ts'
import { thingPage, type Refused } from '../../declared/thing-page.ts'
import type { Redirect, Told, View, Visit } from '../../page.ts'
import { block, code, empty } from '../../parts/block.ts'
import { act } from '../../parts/fields.ts'
import { secret } from '../../parts/secret.ts'
import { table } from '../../parts/table.ts'
import { date } from '../../parts/time.ts'
import { requireSystem, systemView } from './system-view.ts'

/** `/systems/:uuid/credentials`: the credentials of the devices of a system. */
export const CREDENTIALS_PAGE = thingPage<System>({
  path: '/systems/:uuid/credentials',
  area: 'systems',
  right: SYSTEM_CREDENTIAL.rights.read,
  keepsWithin: false,
  find: requireSystem,
  acts: {
    create: { carryOut: make },
    revoke: {
      ask: (visit, system, filled) => askRevoke(visit, system, checkUuid(filled.text('account'), 'account')),
      async carryOut({ context, noteAccessChange }, system, filled) {
        const { uuid } = await revokeSystemCredential(context, checkUuid(filled.text('account'), 'account'))
        noteAccessChange('system credential revoked', { account: uuid, target: system.uuid })
      },
    },
  },
  show: async (visit, system, refused) =>
    visit.once === null ? shown(visit, system, refused) : made(visit, system, visit.once),
})

async function askRevoke({ context }: Visit, { uuid, name }: System, account: string) {
  const found = (await listSystemCredentials(context, uuid)).find((one) => one.uuid === account)
  if (found === undefined) throw new HoldfastError('NOT_FOUND', 'this credential was revoked already')
  return {
    title: `Revoke ${found.username}?`,
    crumbs: [
      { label: 'Systems', href: '/systems' },
      { label: name, href: `/systems/${uuid}` },
    ],
    cost: html`The device that signs in with it is signed out and cannot sign in again, so
      <strong>its datapoints are rejected</strong> until it gets another credential.`,
    of: { account },
    button: 'Revoke the credential',
  }
}

async function shown(visit: Visit, system: System, refused: Refused | null): Promise<View> {
  const found = await listSystemCredentials(visit.context, system.uuid)
  return {
    ...systemView(visit, system, 'credentials', html`${refused?.problem ?? null} ${list(visit, found)}`),
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
