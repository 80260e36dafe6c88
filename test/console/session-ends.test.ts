import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addConsole } from '../../src/console/console.ts'
import { HoldfastError } from '../../src/lib/errors.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { consoleClientId } from '../../src/platform/access/accounts/bootstrap.ts'
import { giveToken } from '../support/access.ts'
import { makeHouse, type House } from '../support/analyse-house.ts'
import { startConsoleServer } from '../support/console-server.ts'
import { setGrants } from '../support/grants.ts'
import { CookieClient, hiddenFields, type Reply } from '../support/cookie-client.ts'
import { ANN, BOB, startAnother, type LoginServer } from '../support/login-server.ts'

// What somebody has who signed in to the console, against each way to end it, on two servers: whatever they have asked for
// meanwhile, nothing of it is good afterwards.

const MINUTE = 60_000
const IN_A_DAY = new Date(Date.now() + 24 * 60 * MINUTE)

let waited = 0
let here: LoginServer
let there: LoginServer
let house: House
let administrator: string

beforeAll(async () => {
  here = await startConsoleServer({ now: () => new Date(Date.now() + waited) })
  there = await startAnother(here, { addPages: addConsole })
  const users = [ANN, BOB].map(({ email, name }) => ({ email, name }))
  house = await makeHouse(here.context, { users })
  const operator = await findAccountByLogin(here.context, 'machine', 'operator')
  administrator = await giveToken(here.context, { uuid: operator?.uuid ?? '' }, { expiresAt: IN_A_DAY })
  await setGrants(here.context, [])
})
afterAll(async () => {
  await there.close()
  await here.close()
})

async function administer<Data>(query: string, variables: object = {}): Promise<Data> {
  const answer = await fetch(`${there.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${administrator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

interface Made {
  readonly createUser: { readonly uuid: string }
  readonly createGrant: { readonly key: string }
}

interface Person {
  readonly email: string
  readonly uuid: string
  /** The key of what makes them an editor. */
  readonly grant: string
  readonly browser: CookieClient
}

const PASSWORD = 'a lamp in the far corner'

async function setPassword(email: string, password: string): Promise<Reply> {
  const { createPasswordLink: link } = await administer<{ createPasswordLink: { path: string } }>(
    'mutation ($email: String!) { createPasswordLink(email: $email) { path } }',
    { email },
  )
  const guest = new CookieClient()
  return guest.submit(await guest.open(here.url + link.path), { password, repeated: password })
}

/** Somebody new, who has come to a page of the console by signing in. */
async function signIn(): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.org`
  const { createUser, createGrant } = await administer<Made>(
    `mutation ($email: String!) {
      createUser(input: { email: $email }) { uuid }
      createGrant(input: { role: EDITOR, user: $email }) { key }
    }`,
    { email },
  )
  await setPassword(email, PASSWORD)
  const browser = new CookieClient()
  const page = await browser.open(`${here.url}/systems`)
  const reply = await browser.submit(page, { decision: 'sign-in', username: email, password: PASSWORD })
  expect([reply.url, reply.status]).toStrictEqual([`${here.url}/systems`, 200])
  return { email, uuid: createUser.uuid, grant: createGrant.key, browser }
}

const waiting = (): string => house.path().split('?')[0] ?? ''

/** What a session gives, asked of one of both servers. */
const GIVEN: { readonly [what: string]: (browser: CookieClient, url: string) => Promise<boolean> } = {
  'a page': async (browser, url) => isShown(await browser.get(`${url}/systems`)),
  data: async (browser, url) => isShown(await browser.get(url + house.path('flow').replace('?', '/data?'))),
  async 'a form'(browser, url) {
    const form = await browser.get(`${url}/systems/new`)
    if (!isShown(form)) return false
    const sent = await browser.post(`${url}/systems/new`, { ...hiddenFields(form), name: 'House' })
    return sent.headers.location?.startsWith('/systems/') === true
  },
  async 'a token for a first datapoint'(browser, url) {
    const token = await shortToken(browser, url)
    return token !== null && isTaken(token, url)
  },
  async 'a token for GraphiQL'(browser, url) {
    const token = await apiToken(browser, url)
    return token !== null && isTaken(token, url)
  },
}

function isShown({ status }: Reply): boolean {
  expect([200, 303, 401, 403]).toContain(status)
  return status === 200
}

async function apiToken(browser: CookieClient, url: string): Promise<string | null> {
  const page = await browser.get(`${url}/api`)
  const [, csrf = ''] = /data-csrf="([^"]+)"/.exec(page.text) ?? []
  const { status, text } = await browser.post(`${url}/api/token`, { csrf })
  return status === 200 ? (JSON.parse(text) as { token: string }).token : null
}

async function shortToken(browser: CookieClient, url: string): Promise<string | null> {
  const page = await browser.get(url + waiting())
  const form = { ...hiddenFields(page), action: 'token' }
  const { text } = page.status === 200 ? await browser.post(url + waiting(), form) : page
  return /Bearer ([\w-]{20,})/.exec(text)?.[1] ?? null
}

/** Whether an empty batch is taken from this sender. */
async function isTaken(token: string, url: string): Promise<boolean> {
  const answer = await fetch(`${url}/rest/v1/data-points/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '[]',
  })
  await answer.body?.cancel()
  return answer.status !== 401 && answer.status !== 403
}

async function goodAt(browser: CookieClient, url: string): Promise<{ readonly [what: string]: boolean }> {
  const asked = Object.entries(GIVEN).map(async ([what, ask]) => [what, await ask(browser, url)] as const)
  return Object.fromEntries(await Promise.all(asked))
}

const all = (isSo: boolean) => Object.fromEntries(Object.keys(GIVEN).map((what) => [what, isSo]))

/** As somebody has it who has copied it. */
const cookieOf = ({ browser }: Person): string => `holdfast-console=${browser.cookie(/^holdfast-console$/) ?? ''}`

interface Ending {
  readonly name: string
  run(person: Person): Promise<unknown>
}

const byAdministrator = (mutation: string, more: () => object | Promise<object> = () => ({})) => {
  const declared = { email: 'String!', uuid: 'ID!', grant: 'String!', client: 'ID!', method: 'ID!' }
  const used = Object.entries(declared).filter(([name]) => mutation.includes(`$${name}`))
  const head = used.map(([name, type]) => `$${name}: ${type}`).join()
  return async (person: Person) => {
    const values: { readonly [name: string]: unknown } = { ...person, ...(await more()) }
    const variables = Object.fromEntries(used.map(([name]) => [name, values[name]]))
    await administer(`mutation (${head}) { ${mutation} }`, variables)
  }
}

async function signOut({ browser }: Person): Promise<void> {
  const page = await browser.get(`${here.url}/systems`)
  const { csrf = '' } = hiddenFields(page)
  const left = await browser.post(`${here.url}/console/sign-out`, { csrf })
  expect(left.headers.location).toBe('/logout/success')
  expect(browser.cookie(/^holdfast-console$/)).toBe('')
}

async function signOutAtProvider({ browser }: Person): Promise<void> {
  const page = await browser.get(`${here.url}/logout`)
  const left = await browser.post(`${here.url}/logout/confirm`, { ...hiddenFields(page), logout: 'yes' })
  expect(left.headers.location).toMatch(/\/logout\/success$/)
}

const statusOf = (status: string) => byAdministrator(`updateUser(email: $email, input: { status: ${status} }) { uuid }`)

const ENDINGS: readonly Ending[] = [
  { name: 'signing out', run: signOut },
  { name: 'signing out at the provider', run: signOutAtProvider },
  { name: 'an administrator who ends the sessions', run: byAdministrator('endSessionsOf(account: $uuid) { uuid }') },
  {
    name: 'consent that is taken back',
    run: byAdministrator('revokeConsentOf(account: $uuid, application: $client) { application }', async () => ({
      client: await consoleClientId(here.context),
    })),
  },
  { name: 'a new password', run: ({ email }) => setPassword(email, `${PASSWORD} or so`) },
  { name: 'a user who is DEACTIVATED', run: statusOf('DEACTIVATED') },
  { name: 'a user who is ARCHIVED', run: statusOf('ARCHIVED') },
  { name: 'a user who is deleted', run: byAdministrator('deleteUser(email: $email) { uuid }') },
  { name: 'a role that is taken back', run: byAdministrator('deleteGrant(key: $grant) { key }') },
]

describe('a session is over after', () => {
  it.concurrent.each(ENDINGS)('$name: nothing is good any more on both servers, and a stream ends', async ({ run }) => {
    const person = await signIn()
    const { browser } = person
    for (const { url } of [here, there]) expect(await goodAt(browser, url)).toStrictEqual(all(true))
    const held = [await shortToken(browser, there.url), await apiToken(browser, here.url)]
    expect(held).not.toContain(null)
    const cookie = cookieOf(person)
    const stream = await fetch(`${there.url}${waiting()}/live`, { headers: { cookie } })
    expect(stream.status).toBe(200)

    const state = { hasEnded: false }
    const asking = [here, there].map(async ({ url }) => {
      const tokens: (string | null)[] = []
      while (!state.hasEnded) tokens.push(await shortToken(browser, url))
      return tokens
    })
    await run(person)
    state.hasEnded = true
    const tokens = [...held, ...(await Promise.all(asking)).flat()].filter((token) => token !== null)

    for (const { url } of [here, there]) {
      const thief = new CookieClient({ headers: { cookie } })
      expect(await goodAt(thief, url)).toStrictEqual(all(false))
      for (const token of tokens) expect(await isTaken(token, url)).toBe(false)
    }
    expect(await stream.text()).toContain('event: ended')
  })
})

const isOpen = async ({ browser }: Person, url = there.url) => await GIVEN['a page']?.(browser, url)

describe('a session', () => {
  beforeEach(() => {
    waited = 0
  })

  it('goes on for an hour after it was used last, here or at the provider, for eight hours at most', async () => {
    const person = await signIn()
    for (let minutes = 50; minutes < 480; minutes += 50) {
      waited += 50 * MINUTE
      expect([minutes, await isOpen(person)]).toStrictEqual([minutes, true])
    }
    waited += 50 * MINUTE
    expect(await isOpen(person)).toBe(false)
    const idle = await signIn()
    waited += 61 * MINUTE
    expect([await isOpen(idle, here.url), await isOpen(idle)]).toStrictEqual([false, false])
  })

  it('goes on where nothing is asked for, but datapoints are followed as they come', async () => {
    const person = await signIn()
    const stream = await fetch(`${there.url}${waiting()}/live`, { headers: { cookie: cookieOf(person) } })
    waited += 50 * MINUTE
    await house.send([house.point('flow', 21, Date.now())])
    let text = ''
    for await (const chunk of stream.body ?? []) if (/^data: \[\[/m.test((text += Buffer.from(chunk).toString()))) break
    waited += 50 * MINUTE
    await expect.poll(() => isOpen(person)).toBe(true)
  })

  it('goes on where the disk is full, and is written down as in use once it is not', async () => {
    const { database } = here.context
    let isFull = true
    const transaction: typeof database.transaction = (work) =>
      isFull ? Promise.reject(new HoldfastError('UNAVAILABLE', 'the disk is full')) : database.transaction(work)
    const context = { ...here.context, database: { ...database, transaction } }
    const full = await startAnother({ ...here, context }, { addPages: addConsole })
    const person = await signIn()
    waited += 50 * MINUTE
    expect(await isOpen(person, full.url)).toBe(true)
    isFull = false
    expect(await isOpen(person, full.url)).toBe(true)
    waited += 50 * MINUTE
    expect(await isOpen(person)).toBe(true)
    await full.close()
  })

  it('that was in use for hours is listed as in use, and signing out ends it', async () => {
    const person = await signIn()
    for (const _ of [1, 2]) {
      waited += 50 * MINUTE
      expect(await isOpen(person)).toBe(true)
    }
    const { sessionsOf } = await administer<{ sessionsOf: { lastUsedAt: string }[] }>(
      'query ($uuid: ID!) { sessionsOf(account: $uuid) { lastUsedAt } }',
      { uuid: person.uuid },
    )
    expect(sessionsOf).toHaveLength(1)
    expect(Date.now() + waited - Date.parse(sessionsOf[0]?.lastUsedAt ?? '')).toBeLessThan(5 * MINUTE)
    const cookie = cookieOf(person)
    // The provider's own cookie is gone by now.
    person.browser.forget(/session$/)
    await signOut(person)
    const thief = { ...person, browser: new CookieClient({ headers: { cookie } }) }
    for (const { url } of [here, there]) expect(await isOpen(thief, url)).toBe(false)
  })
})
