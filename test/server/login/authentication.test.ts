import { decodeJwt, type JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '../../support/cookie-client.ts'
import { ANN } from '../../support/login-server.ts'
import { ADA, startCompanyWorld, type CompanyWorld } from './company-people.ts'
import { choose, locationOf, newBrowser, type Browser } from './company-visit.ts'

// What an application demands of the authentication goes to the company's provider, and what that one says of it comes back.

let world: CompanyWorld
let ahead = 0

beforeAll(async () => {
  world = await startCompanyWorld(() => new Date(Date.now() + ahead))
})
beforeEach(async () => {
  ahead = 0
  await world.trust()
})
afterAll(() => world.close())

type Params = { readonly [name: string]: string }

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds

/** What the provider is asked for. */
async function demandedOf(params: Params): Promise<Params> {
  const [server] = world.servers
  const browser = newBrowser()
  const page = await browser.here.open(server.authorizationUrl('trusted', params))
  const leave = new URL(await choose(server, browser, page))
  const names = ['prompt', 'max_age', 'acr_values', 'login_hint']
  return Object.fromEntries([...leave.searchParams].filter(([name]) => names.includes(name)))
}

it.each<[Params, Params]>([
  [{}, {}],
  [{ prompt: 'consent' }, {}],
  [{ prompt: 'login' }, { prompt: 'login', max_age: '0' }],
  [{ max_age: '0' }, { prompt: 'login', max_age: '0' }],
  [
    { prompt: 'login', max_age: '300' },
    { prompt: 'login', max_age: '0' },
  ],
  [{ max_age: '300' }, { max_age: '300' }],
  [
    { acr_values: 'mfa hardware', login_hint: 'ada@corp.example' },
    { acr_values: 'mfa hardware', login_hint: 'ada@corp.example' },
  ],
])('of a request with %o the provider is asked for %o', async (params, demanded) => {
  expect(await demandedOf(params)).toStrictEqual(demanded)
})

async function idTokenOf(claims: JWTPayload, params: Params = {}): Promise<JWTPayload> {
  const { id_token: token } = await world.tokens({ ...ADA, ...claims }, { params })
  return decodeJwt(token ?? '')
}

const HOW = { acr: 'urn:example:mfa', amr: ['pwd', 'otp'] }

it('applications are told when and how the provider authenticated the person', async () => {
  const authTime = secondsAgo(600)
  const told = await idTokenOf({ ...HOW, auth_time: authTime }, { max_age: '3600' })
  expect(told).toMatchObject({ ...HOW, auth_time: authTime })
})

it('nothing is made up that the provider does not say', async () => {
  const told = await idTokenOf({})
  for (const name of ['acr', 'amr', 'auth_time']) expect(told).not.toHaveProperty(name)
})

it('a refreshed ID token says the same', async () => {
  const authTime = secondsAgo(600)
  const { refresh_token: token } = await world.tokens(
    { ...ADA, ...HOW, auth_time: authTime },
    { params: { max_age: '3600' } },
  )
  const refreshed = await world.refresh(token ?? '', world.servers[1])
  expect(decodeJwt(refreshed.id_token ?? '')).toMatchObject(HOW)
})

it.each<[string, JWTPayload, Params]>([
  ['of years ago, where a new one is demanded', { auth_time: 1_577_836_800 }, { prompt: 'login' }],
  ['of ten minutes ago, where a new one is demanded', { auth_time: secondsAgo(600) }, { max_age: '0' }],
  ['of an unknown time, where a new one is demanded', {}, { prompt: 'login' }],
  ['that is older than demanded', { auth_time: secondsAgo(600) }, { max_age: '300' }],
  ['of an unknown time, where an age is demanded', {}, { max_age: '300' }],
])('an authentication %s signs nobody in', async (_, claims, params) => {
  const page = await world.signIn({ ...ADA, ...claims }, { params })
  expect(page.text).toContain('asks you to sign in again')
})

it('a logout token signs nobody in, though it is signed like an ID token', async () => {
  const page = await world.signIn({ ...ADA, events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
  expect(page.text).toContain('may not sign in here')
})

it('an authentication in the future signs nobody in', async () => {
  const page = await world.signIn({ ...ADA, auth_time: secondsAgo(-600) })
  expect(page.text).toContain('may not sign in here')
})

it('an authentication after the browser left is new', async () => {
  const told = await idTokenOf({ auth_time: secondsAgo(0) }, { prompt: 'login' })
  expect(told['auth_time']).toBeGreaterThan(secondsAgo(60))
})

const silently = async (browser: Browser, params: Params): Promise<URLSearchParams> => {
  const [server] = world.servers
  const query = { client_id: world.clientId, prompt: 'none', ...params }
  return new URL(locationOf(await browser.here.open(server.authorizationUrl('trusted', query)))).searchParams
}

describe('a session', () => {
  it('is as old as the authentication at the provider', async () => {
    const browser = newBrowser()
    await world.tokens({ ...ADA, auth_time: secondsAgo(1_000) }, { browser })
    expect((await silently(browser, { max_age: '300' })).get('error')).toBe('login_required')
    expect((await silently(browser, { max_age: '2000' })).has('code')).toBe(true)
  })

  it('of an authentication of unknown time is too old for every demand, and good for others', async () => {
    const browser = newBrowser()
    await world.tokens(ADA, { browser })
    expect((await silently(browser, { max_age: '100000' })).get('error')).toBe('login_required')
    expect((await silently(browser, {})).has('code')).toBe(true)
  })
})

describe('refresh tokens', () => {
  const HOUR = 3_600_000

  it('end a day after the sign-in at the provider, however often they are used', async () => {
    let { refresh_token: token } = await world.tokens(ADA)
    for (const [place, hours] of [12, 23, 23.9].entries()) {
      ahead = hours * HOUR
      ;({ refresh_token: token } = await world.refresh(token ?? '', world.servers[place % 2]))
      expect(token).toBeDefined()
    }
    ahead = 24.1 * HOUR
    for (const server of world.servers)
      expect(await world.refresh(token ?? '', server)).toMatchObject({ error: 'invalid_grant' })
  })

  it('of a session that began earlier end a day after that sign-in, too', async () => {
    const browser = newBrowser()
    await world.signIn(ADA, { browser })
    ahead = 0.9 * HOUR
    const [server] = world.servers
    const reply = await browser.here.open(server.authorizationUrl('trusted', { client_id: world.clientId }))
    const { refresh_token: token } = await world.redeem(reply)
    ahead = 24.1 * HOUR
    expect(await world.refresh(token ?? '')).toMatchObject({ error: 'invalid_grant' })
  })

  it('of who signed in with a password go on', async () => {
    const [server] = world.servers
    const browser = newBrowser()
    const page = await browser.here.open(server.authorizationUrl('trusted', { client_id: world.clientId }))
    const fields = { decision: 'sign-in', username: ANN.email, password: ANN.password }
    const reply: Reply = await browser.here.submit(page, fields)
    const { refresh_token: token } = await world.redeem(reply)
    ahead = 24 * 20 * HOUR
    expect((await world.refresh(token ?? '')).refresh_token).toBeDefined()
  })
})
