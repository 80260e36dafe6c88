import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLES } from '../../src/auth/roles.ts'
import { PAGES } from '../../src/console/pages/pages.ts'
import { ROUTES } from '../../src/console/pages/page-data.ts'
import { createDelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { listApplies } from '../../src/platform/imports/applies.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { giveToken } from '../support/access.ts'
import { startConsoleServer } from '../support/console-server.ts'
import { visitorWith, type ConsolePage, type ConsoleVisitor } from '../support/console-visitor.ts'
import { setGrants } from '../support/grants.ts'
import type { LoginServer } from '../support/login-server.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '../support/two-organizations.ts'
import { EXPECTED_PAGES } from './expected-pages.ts'

// Each page and each form as each role, and as somebody who is bound to one organization.

const WITHIN = 'ann@amber.example'
const NOBODY = 'nel@nobody-basalt.example'
const emailOf = (role: string) => `${role}@example.org`
const ALL = EXPECTED_PAGES.flatMap(({ role, isWithin, pages }) => pages.map((page) => ({ page, role, isWithin })))

let server: LoginServer
let customers: TwoOrganizations
let visitors: ReadonlyMap<string, ConsoleVisitor>
let places: { readonly [name: string]: string }

beforeAll(async () => {
  server = await startConsoleServer()
  const { context } = server
  const datapoints = new Datapoints({ ...context, isAlone: false })
  const users = [...ROLES.map(emailOf), NOBODY].map((email) => ({ email }))
  const bound = [WITHIN, 'ben@basalt.example'].map((email) => ({
    email,
    organization: { alias: email.startsWith('ann') ? 'amber' : 'basalt' },
  }))
  customers = await makeTwoOrganizations(context, datapoints, { users: [...users, ...bound] })
  await datapoints.close()
  await setGrants(context, [
    ...ROLES.map((role) => ({ role, user: emailOf(role) })),
    { role: 'editor', user: WITHIN, within: 'amber' },
  ])
  visitors = new Map(
    await Promise.all(
      [...users, ...bound].map(async ({ email }) => {
        const account = await findRecord(context, EVERYWHERE, 'users', email)
        return [email, visitorWith(server, await giveToken(context, { uuid: account?.uuid ?? '' }))] as const
      }),
    ),
  )
  const [apply] = await listApplies(context, 1, null)
  places = { '/applies/:uuid': apply?.uuid ?? '', '/auth-methods/:uuid': crypto.randomUUID() }
})
afterAll(() => server.close())

const whoever = (email: string): ConsoleVisitor => {
  const found = visitors.get(email)
  if (found === undefined) throw new Error(`there is no visitor ${email}`)
  return found
}

/** Asks for a page of the first customer, or of another one. A form is sent without anything that says what to do. */
function ask(email: string, page: string, { system, component } = customers.amber): Promise<ConsolePage> {
  const [method = '', path = ''] = page.split(' ')
  const uuid = Object.entries(places).find(([begin]) => path.startsWith(begin))?.[1] ?? system
  const address = path
    .replace('/components/:uuid', `/components/${component}`)
    .replace(':uuid', uuid)
    .replace(':id', crypto.randomUUID())
    .replace(':type', 'organizations')
    .replace(':key{.+}', 'amber')
    .replace(':email', WITHIN)
    .replace(':slug', 'console')
  return method === 'GET' ? whoever(email).get(address) : whoever(email).post(address)
}

describe('the table of pages', () => {
  it('has each page, each form and each stream of the console once, and no other', () => {
    const declared = [
      ...PAGES.flatMap(({ path, receive }) => [`GET ${path}`, ...(receive === undefined ? [] : [`POST ${path}`])]),
      ...ROUTES.map(({ path }) => `GET ${path}`),
    ]
    expect(ALL.map(({ page }) => page).toSorted()).toStrictEqual(declared.toSorted())
  })
})

describe.each(ROLES)('as %s', (role) => {
  it('somebody may see and do what the table says, and nothing else', async () => {
    for (const { page, role: least } of ALL) {
      const { status } = await ask(emailOf(role), page)
      const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(least)
      expect([page, status === 403 ? 'refused' : 'allowed']).toStrictEqual([page, isAllowed ? 'allowed' : 'refused'])
      expect([page, status < 500]).toStrictEqual([page, true])
    }
  })
})

describe('within an organization', () => {
  it('somebody may see and do what the table says there', async () => {
    for (const { page, role, isWithin } of ALL) {
      const { status } = await ask(WITHIN, page)
      const isAllowed = isWithin && role !== 'administrator'
      expect([page, status === 403 ? 'refused' : 'allowed']).toStrictEqual([page, isAllowed ? 'allowed' : 'refused'])
    }
  })

  it('nothing of another one is shown, and what is asked for by its name is not there', async () => {
    for (const { page } of ALL.filter(({ isWithin }) => isWithin)) {
      const { text } = await ask(WITHIN, page)
      expect([page, /basalt/i.exec(text)?.index ?? null]).toStrictEqual([page, null])
      if (!/:uuid/.test(page)) continue
      for (const customer of [customers.basalt, customers.nobody]) {
        const { status } = await ask(WITHIN, page, customer)
        expect([page, status]).toStrictEqual([page, 404])
      }
    }
    for (const path of ['/organizations/basalt', '/model/organizations/basalt', '/model/users/ben@basalt.example'])
      expect([path, (await whoever(WITHIN).get(path)).status]).toStrictEqual([path, 404])
    const found = await whoever(WITHIN).get('/search?q=house')
    expect(found.text).toContain('House of amber')
    expect(found.text).not.toContain('basalt')
  })
})

/** The addresses that the pages of somebody lead to, one of each kind. */
async function linksOf(email: string): Promise<readonly string[]> {
  const links = new Map<string, string>()
  for (const { page } of ALL.filter(({ page }) => page.startsWith('GET'))) {
    const { status, text } = await ask(email, page)
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

it('no page leads somebody to one that is refused', async () => {
  for (const email of [emailOf('viewer'), WITHIN]) {
    const links = await linksOf(email)
    expect(links.length).toBeGreaterThan(20)
    for (const href of links) {
      const { status } = await whoever(email).get(href)
      expect([email, href, status]).not.toStrictEqual([email, href, 403])
    }
  }
})

async function scopesOf(slug: string): Promise<unknown> {
  const record = await findRecord(server.context, EVERYWHERE, 'applicationConsumers', slug)
  return record?.body['scopes'] ?? null
}

const admin = (): ConsoleVisitor => whoever(emailOf('administrator'))

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

  it('that gives a role keeps what was filled in where it is refused', async () => {
    const refused = await admin().post(`/users/${WITHIN}`, { act: 'grant', role: 'editor', within: 'nowhere' })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/value="editor"\s+selected[\s\S]*value="nowhere"/)
    expect(refused.text).not.toContain('..')
  })
})

it('whoever has no role sees no page at all, and who is signed out has to sign in', async () => {
  for (const { page } of ALL) {
    expect([page, (await ask(NOBODY, page)).status]).toStrictEqual([page, 403])
    if (page.startsWith('POST')) continue
    const { status } = await fetch(server.url + page.slice('GET '.length), { redirect: 'manual' })
    expect([page, status]).toStrictEqual([page, /\/analyse\/(?:data|csv|live)$/.test(page) ? 401 : 303])
  }
})

it('a trust in GitHub says what runs by hand may do, also one that was stored before there were any', async () => {
  const administrator = whoever(emailOf('administrator'))
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
