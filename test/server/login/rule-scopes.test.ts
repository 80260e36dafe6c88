import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { JWTPayload } from 'jose'
import { nullable, TEXT } from '../../../src/db/columns.ts'
import { RIGHTS } from '../../../src/auth/scopes.ts'
import { updateMethod, type DelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import {
  ADA,
  rightsAt,
  SERVICE,
  signInToConsole,
  startCompanyWorld,
  WAYS,
  type CompanyWorld,
  type Tokens,
  type Visitor,
} from './company-people.ts'
import { choose, newBrowser, openLogin } from './company-visit.ts'

// An administrator whom one of two rules lets in: she can do what that rule's scopes allow, by every way in.

const CONTRACTORS = {
  name: 'contractors',
  claims: { groups: ['contractor'] },
  scopes: ['openid', 'email', 'data:read'],
}
const STAFF = { name: 'staff', claims: { groups: ['staff'] }, scopes: ['service'] }
const OF_CONTRACTORS = ['data:read', 'domain:read', 'self:read']
const ALL = RIGHTS.toSorted()

const contractor: JWTPayload = { ...ADA, groups: ['contractor'] }
const staff: JWTPayload = { ...ADA, groups: ['staff'] }

let world: CompanyWorld
let method: DelegatedMethod

beforeAll(async () => {
  world = await startCompanyWorld()
})
beforeEach(async () => {
  method = await world.trust({ rules: [CONTRACTORS, STAFF] })
})
afterAll(() => world.close())

it.each(Object.entries(WAYS))('by %s, the scopes of the rule that fits limit an administrator', async (_, tokenFor) => {
  const [narrow, wide] = [await tokenFor(world, contractor), await tokenFor(world, staff)]
  for (const server of world.servers) {
    // The staff's sign-in came later, so what the contractor's one let into a browser may have ended.
    expect([OF_CONTRACTORS, 401]).toContainEqual(await rightsAt(server, narrow))
    expect(await rightsAt(server, wide)).toStrictEqual(ALL)
  }
  expect(await rightsAt(world.servers[1], await tokenFor(world, contractor))).toStrictEqual(OF_CONTRACTORS)
})

it('a token answer names the scopes that the rule leaves, and so does a refreshed one', async () => {
  const first = await world.tokens(contractor, SERVICE)
  expect(first.scope).toBe('openid data:read')
  expect((await world.refresh(first.refresh_token ?? '', world.servers[1])).scope).toBe('openid data:read')
  expect((await world.tokens(staff, SERVICE)).scope).toBe('openid service')
})

it('the console shows a contractor no page of administrators', async () => {
  const { browser } = await signInToConsole(world, contractor)
  expect((await browser.here.get(`${world.servers[0].url}/search`)).status).toBe(200)
  expect((await browser.here.get(`${world.servers[1].url}/consumers`)).status).not.toBe(200)
  expect((await browser.here.get(`${world.servers[0].url}/users`)).status).toBe(403)
  const { browser: ofStaff } = await signInToConsole(world, staff)
  expect((await ofStaff.here.get(`${world.servers[0].url}/users`)).status).toBe(200)
})

it('the console has its first page for whom a rule lets read the model alone', async () => {
  method = await world.trust({ rules: [{ ...STAFF, scopes: ['openid', 'model:read'] }] })
  const { browser } = await signInToConsole(world, staff)
  expect((await browser.here.get(`${world.servers[0].url}/`)).status).toBe(200)
  expect((await browser.here.get(`${world.servers[0].url}/systems`)).status).toBe(403)
})

const now = () => Math.floor(Date.now() / 1_000)

it('the console and GraphQL tell an administrator which redirect URI to register', async () => {
  const [server, other] = world.servers
  const { browser, token } = await signInToConsole(world, staff)
  const path = `/login/callback/${method.uuid}`
  expect((await browser.here.get(`${server.url}/auth-methods/${method.uuid}`)).text).toContain(server.url + path)
  const answer = await fetch(`${other.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ authenticationMethods { uuid callbackPath advice } }' }),
  })
  const { data } = (await answer.json()) as { data: { authenticationMethods: object[] } }
  expect(data.authenticationMethods).toContainEqual({ uuid: method.uuid, callbackPath: path, advice: null })
})

interface LetIn {
  readonly tokens: Tokens
  readonly console: Visitor
}

async function letStaffIn(): Promise<LetIn> {
  return { tokens: await world.tokens(staff, SERVICE), console: await signInToConsole(world, staff) }
}

async function expectEnded({ tokens, console: { browser, token } }: LetIn): Promise<void> {
  const [here, there] = world.servers
  expect(await rightsAt(there, tokens.access_token)).toBe(401)
  expect(await rightsAt(there, token)).toBe(401)
  expect(await world.refresh(tokens.refresh_token ?? '', there)).toMatchObject({ error: 'invalid_grant' })
  expect((await browser.here.get(`${here.url}/systems`)).status).toBe(303)
  // The session at the provider of the domain has ended, too: nobody is signed in without a page.
  const silent = await browser.here.open(here.authorizationUrl('trusted', { prompt: 'none' }))
  expect(silent.headers.location).toContain('error=login_required')
}

it('a sign-in by another rule ends everything that the last one let in', async () => {
  const before = await letStaffIn()
  expect(await rightsAt(world.servers[1], before.tokens.access_token)).toStrictEqual(ALL)
  await world.tokens(contractor)
  await expectEnded(before)
})

it('who signs in anew by another rule in the same browser goes on by that rule', async () => {
  const browser = newBrowser()
  const before = await world.tokens({ ...staff, auth_time: now() }, { browser, ...SERVICE })
  const params = { ...SERVICE.params, prompt: 'login' }
  const after = await world.tokens({ ...contractor, auth_time: now() }, { browser, params })
  expect(await rightsAt(world.servers[1], before.access_token)).toBe(401)
  expect(await rightsAt(world.servers[1], after.access_token)).toStrictEqual(OF_CONTRACTORS)
})

it('so does a sign-in that no rule lets in any more', async () => {
  const before = await letStaffIn()
  const page = await world.signIn({ ...ADA, groups: [] })
  expect(page.text).toContain('may not sign in here')
  await expectEnded(before)
})

it('a sign-in by the same rule ends nothing, and neither does a token of the provider for another rule', async () => {
  const { tokens } = await letStaffIn()
  await world.tokens(staff)
  expect(await rightsAt(world.servers[1], await world.company.sign(contractor))).toStrictEqual(OF_CONTRACTORS)
  expect(await rightsAt(world.servers[1], tokens.access_token)).toStrictEqual(ALL)
  expect((await world.refresh(tokens.refresh_token ?? '', world.servers[1])).error).toBeUndefined()
})

it('everything ends that a rule let in when the rule is removed or edited', async () => {
  for (const rules of [[CONTRACTORS], [CONTRACTORS, { ...STAFF, scopes: ['data:read'] }]]) {
    method = await world.trust({ rules: [CONTRACTORS, STAFF] })
    const before = await letStaffIn()
    expect(await rightsAt(world.servers[1], before.tokens.access_token)).toStrictEqual(ALL)
    await updateMethod(world.servers[0].context, method.uuid, { configuration: { rules } })
    await expectEnded(before)
  }
})

it('a sign-in that began before the method was edited does not count', async () => {
  const [server] = world.servers
  const browser = newBrowser()
  const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
  world.company.giveOut(await world.company.sign({ nonce: leave.searchParams.get('nonce'), ...staff }))
  await updateMethod(server.context, method.uuid, { configuration: { rules: [CONTRACTORS] } })
  const query = new URLSearchParams({ code: 'any', state: leave.searchParams.get('state') ?? '' })
  const page = await browser.here.open(`${leave.searchParams.get('redirect_uri')}?${query}`)
  expect(page.text).toContain('This sign-in has expired')
})

it('what an earlier release wrote down without a rule lets nobody in, but a token of the provider is checked again', async () => {
  const bearer = await world.company.sign(contractor)
  expect(await rightsAt(world.servers[0], bearer)).toStrictEqual(OF_CONTRACTORS)
  const before = await letStaffIn()
  await forgetRules()
  await expectEnded(before)
  expect(await rightsAt(world.servers[1], bearer)).toStrictEqual(OF_CONTRACTORS)
  expect((await ruleOf(bearer)) ?? '').not.toBe('')
})

/** Leaves the artifacts and identities as an earlier release stored them. */
async function forgetRules(): Promise<void> {
  await world.servers[0].context.database.script(`
    update artifacts set payload = payload - 'rule' - 'amr';
    update external_identities set rules = '{}';`)
}

async function ruleOf(token: string): Promise<unknown> {
  const { database } = world.servers[0].context
  const [row] = await database.rows(
    { rule: nullable(TEXT) },
    `select payload ->> 'rule' as rule from artifacts where hash = $1`,
    [tokenHash(token)],
  )
  return row?.rule
}
