import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLES } from '../../src/auth/roles.ts'
import { PAGES } from '../../src/console/pages/pages.ts'
import { ROUTES } from '../../src/console/pages/page-data.ts'
import { createDelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { listApplies } from '../../src/platform/imports/history/applies.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import type { ConsoleVisitor } from '../support/console-visitor.ts'
import { SIGN_OUT } from '../../src/console/session/sign-out.ts'
import type { LoginServer } from '../support/login-server.ts'
import { ALL, everywhere, NOBODY, startTwoCustomers, within, type Console } from './two-customers.ts'

// Each page and each form as each role, in the whole domain; within one organization: within.test.ts.

let world: Console
let server: LoginServer
beforeAll(async () => {
  const places: { [begin: string]: string } = { '/auth-methods/:uuid': crypto.randomUUID() }
  world = await startTwoCustomers(places)
  server = world.server
  const [apply] = await listApplies(server.context, 1, null)
  places['/applies/:uuid'] = apply?.uuid ?? ''
})
afterAll(() => server.close())

describe('the table of pages', () => {
  it('has each page, each form and each stream of the console once, and no other', () => {
    const declared = [
      ...PAGES.flatMap(({ path, receive }) => [`GET ${path}`, ...(receive === undefined ? [] : [`POST ${path}`])]),
      ...ROUTES.map(({ path, isSent }) => `${isSent === true ? 'POST' : 'GET'} ${path}`),
    ]
    expect(ALL.map(({ page }) => page).toSorted()).toStrictEqual(declared.toSorted())
  })
})

describe.each(ROLES)('as %s', (role) => {
  it('somebody may see and do what the table says, and nothing else', async () => {
    for (const { page, role: least } of ALL) {
      const { status } = await world.ask(everywhere(role), page)
      const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(least)
      expect([page, status === 403 ? 'refused' : 'allowed']).toStrictEqual([page, isAllowed ? 'allowed' : 'refused'])
      expect([page, status < 500]).toStrictEqual([page, true])
    }
  })
})

/** The addresses that the pages of somebody lead to, one of each kind. */
async function linksOf(email: string): Promise<readonly string[]> {
  const links = new Map<string, string>()
  for (const { page } of ALL.filter(({ page }) => page.startsWith('GET'))) {
    const { status, text } = await world.ask(email, page)
    if (status !== 200) continue
    for (const [, href = ''] of text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) links.set(kindOf(href), href)
  }
  return [...links.values()].map((href) => href.replaceAll('&amp;', '&'))
}

function kindOf(href: string): string {
  const [path = ''] = href.split('?')
  const named = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':uuid')
  return named.replace(/^(\/model\/\w+|\/users|\/organizations|\/application-consumers)\/.+/, '$1/:key')
}

it('no page leads somebody to one that is refused, or is not there', async () => {
  for (const email of [everywhere('viewer'), within('editor')]) {
    const links = await linksOf(email)
    expect(links.length).toBeGreaterThan(20)
    for (const href of links) {
      const { status } = await world.visitor(email).get(href)
      expect([email, href, status < 400]).toStrictEqual([email, href, true])
    }
  }
})

async function scopesOf(slug: string): Promise<unknown> {
  const record = await findRecord(server.context, EVERYWHERE, 'applicationConsumers', slug)
  return record?.body['scopes'] ?? null
}

const admin = (): ConsoleVisitor => world.visitor(everywhere('administrator'))

async function checkedOf(slug: string): Promise<readonly (string | undefined)[]> {
  const { text } = await admin().get(`/application-consumers/${slug}`)
  return [...text.matchAll(/value="([\w:]+)"\s+checked/g)].map(([, value]) => value)
}

const SHY = { slug: 'shy', name: 'Shy', grantTypes: 'AUTHORIZATION_CODE', redirectUris: 'https://shy.example/' }

describe('a form of an administrator', () => {
  it('says of an application what it may ask for, also where that is nothing, and stores what it says', async () => {
    await admin().post('/application-consumers/new', { ...SHY, scopes: ['service', 'openid'] })
    expect([await scopesOf('shy'), await checkedOf('shy')]).toStrictEqual([
      null,
      ['AUTHORIZATION_CODE', 'openid', 'service'],
    ])
    await admin().post('/application-consumers/shy', { ...SHY, act: 'save' })
    expect([await scopesOf('shy'), await checkedOf('shy')]).toStrictEqual([[], ['AUTHORIZATION_CODE']])
  })

  it.each(['/users/', '/application-consumers/'])('of %s says when it does not know what to do', async (path) => {
    const key = path === '/users/' ? within('editor') : SHY.slug
    await admin().post('/application-consumers/new', SHY)
    for (const act of ['', 'constructor', 'toString']) {
      const { status, text } = await admin().post(path + key, { act })
      expect([act, status, text.includes('does not say what to do')]).toStrictEqual([act, 422, true])
    }
  })

  it('that gives a role keeps what was filled in where it is refused', async () => {
    const refused = await admin().post(`/users/${within('editor')}`, {
      act: 'grant',
      role: 'editor',
      within: 'nowhere',
    })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/value="editor"\s+selected[\s\S]*value="nowhere"/)
    expect(refused.text).not.toContain('..')
  })
})

/** The forms of the console, with files too where a page takes them. */
function formsOf(fields: { readonly [name: string]: string }): readonly (readonly [address: string, body: BodyInit])[] {
  const files = new FormData()
  for (const [name, value] of Object.entries(fields)) files.set(name, value)
  const pages = PAGES.filter(({ receive }) => receive !== undefined)
  return [
    ...[...pages.map(({ path }) => path), SIGN_OUT].map((path) => [path, new URLSearchParams(fields)] as const),
    ...pages.filter(({ mostBytes }) => mostBytes !== undefined).map(({ path }) => [path, files] as const),
  ]
}

it('no form is taken that a page of the same session has not made', async () => {
  const person = world.visitor(everywhere('administrator'))
  const csrf = world.visitor(everywhere('editor')).csrf
  for (const fields of [{}, { csrf: '' }, { csrf }])
    for (const [path, body] of formsOf({ ...fields, name: 'Stolen' })) {
      const init = { method: 'POST', redirect: 'manual', headers: { cookie: person.cookie }, body } as const
      const { status, headers } = await fetch(server.url + world.addressOf(path), init)
      const to = headers.get('location')?.split('?')[0] ?? null
      const refused = path === SIGN_OUT ? [403, null] : [303, '/console/not-sent']
      expect([path, fields, status, to]).toStrictEqual([path, fields, ...refused])
    }
  expect((await person.get('/systems')).status).toBe(200)
})

it('whoever has no role sees no page at all, and who is signed out has to sign in', async () => {
  for (const { page } of ALL) {
    expect([page, (await world.ask(NOBODY, page)).status]).toStrictEqual([page, 403])
    if (page.startsWith('POST')) continue
    const { status } = await fetch(server.url + page.slice('GET '.length), { redirect: 'manual' })
    expect([page, status]).toStrictEqual([page, /\/analyse\/(?:data|csv|live)$/.test(page) ? 401 : 303])
  }
})

it('a trust in GitHub says what runs by hand may do, also one that was stored before there were any', async () => {
  const administrator = world.visitor(everywhere('administrator'))
  const issuer = 'https://token.actions.githubusercontent.com'
  const users = { planMachineUser: 'planner', applyMachineUser: 'applier' }
  const repository = { repositoryId: '11', repositoryOwnerId: '1', environment: 'production', runsByHand: true }
  const { uuid } = await createDelegatedMethod(server.context, {
    status: 'DEACTIVATED',
    configuration: { clientId: server.url, issuer, githubActions: { ...repository, ...users } },
  })
  const shown = async () => (await administrator.get(`/auth-methods/${uuid}`)).text
  expect(await shown()).toMatch(/workflow_dispatch[^]*by hand may apply, in the environment/)
  await server.context.database.statement(
    `update authentication_methods set configuration = configuration #- '{githubActions,runsByHand}' where uuid = $1::uuid`,
    [uuid],
  )
  expect(await shown()).toContain('by hand may only plan')
  const fields = { act: 'save', name: 'GitHub', issuer, clientId: server.url }
  expect(await administrator.post(`/auth-methods/${uuid}`, fields)).toMatchObject({ status: 303 })
  expect(await shown()).toContain('by hand may only plan')
})
