import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { JWTPayload } from 'jose'
import { listIdentities, unbindIdentity } from '../../../src/platform/access/delegated/identity/identities.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
} from '../../../src/platform/access/methods/methods.ts'
import { createRecord, updateRecord } from '../../../src/platform/records/change-record.ts'
import { AUDIENCE, startCompany, type Company } from '../../support/company.ts'
import type { Reply } from '../../support/cookie-client.ts'
import { startLoginServer, type LoginServer } from '../../support/login-server.ts'
import { choose, locationOf, newBrowser, openLogin, type Browser } from './company-visit.ts'

// People who sign in at their company with a browser: whom they are here, and until when.

let server: LoginServer
let company: Company
let method: string

beforeAll(async () => {
  company = await startCompany()
  server = await startLoginServer({ allowedOrigins: [company.issuer] })
})
beforeEach(async () => {
  for (const { kind, uuid } of await listMethods(server.context))
    if (kind !== 'internal') await deleteMethod(server.context, uuid)
  await trust([])
})
afterAll(async () => {
  await server.close()
  company.close()
})

async function trust(emailDomains: readonly string[]): Promise<void> {
  const configuration = { clientId: AUDIENCE, issuer: company.issuer, clientSecret: 'between-us', emailDomains }
  method = (await createDelegatedMethod(server.context, { status: 'ACTIVATED', name: 'Company', configuration })).uuid
}

/** Back from the company, which has signed these claims. */
async function signIn(browser: Browser, claims: JWTPayload, by: 'sign' | 'signWeakly' = 'sign'): Promise<Reply> {
  const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
  const nonce = leave.searchParams.get('nonce')
  company.giveOut(await company[by]({ nonce, ...claims }))
  const back = new URLSearchParams({ code: 'any', state: leave.searchParams.get('state') ?? '' })
  return browser.here.open(`${leave.searchParams.get('redirect_uri')}?${back}`)
}

const person = (sub: string) => ({ sub, email: `${sub}@corp.example`, email_verified: true })

/** What the application is told of who is asked for without a page: a code, or that somebody has to sign in. */
async function silently(browser: Browser): Promise<string> {
  const reply = await browser.here.follow(
    await browser.here.get(server.authorizationUrl('trusted', { prompt: 'none' })),
  )
  const answer = new URL(locationOf(reply)).searchParams
  return answer.get('error') ?? (answer.has('code') ? 'code' : 'neither')
}

async function identityOf(subject: string) {
  const all = { account: null, method: null, isRefused: null }
  const found = await listIdentities(server.context, all, { first: 100, after: null })
  return found.find(({ item }) => item.subject === subject)?.item
}

it.each<[string, JWTPayload]>([
  ['for another client', { azp: 'another-client' }],
  ['for several audiences, and of none of them', { aud: [AUDIENCE, 'another'] }],
  ['from the future', { iat: Math.floor(Date.now() / 1_000) + 120 }],
  ['for another audience', { aud: 'another' }],
  ['without end', { exp: 9e15 }],
  ['from before all time', { iat: -1e300 }],
  ['signed in for after all time', { auth_time: 9e15 }],
])('an ID token %s signs nobody in', async (_, claims) => {
  const page = await signIn(newBrowser(), { ...person('strange'), ...claims })
  expect(page.status).toBe(200)
  expect(page.text).toMatch(/may not sign in here|did not work/)
  expect(await identityOf('strange')).toBeUndefined()
})

it('nor does one that is signed with a key that can be broken', async () => {
  const page = await signIn(newBrowser(), person('weak'), 'signWeakly')
  expect(page.text).toMatch(/may not sign in here|did not work/)
  expect(await identityOf('weak')).toBeUndefined()
})

it('a session ends when its identity is unbound', async () => {
  const browser = newBrowser()
  expect(locationOf(await signIn(browser, person('uma')))).toContain('code=')
  expect(await silently(browser)).toBe('code')
  await unbindIdentity(server.context, (await identityOf('uma'))?.uuid ?? '')
  expect(await silently(browser)).toBe('login_required')
  // Who signs in again is somebody new.
  expect(locationOf(await signIn(browser, person('uma')))).toContain('code=')
  expect(await silently(browser)).toBe('code')
})

it('a session ends when the model gets a user with its address, who is that user at the next sign-in', async () => {
  const browser = newBrowser()
  await signIn(browser, person('una'))
  const before = await identityOf('una')
  await createRecord(server.context, 'users', { email: 'una@corp.example' }, [])
  expect(await silently(browser)).toBe('login_required')
  await signIn(browser, person('una'))
  expect(await silently(browser)).toBe('code')
  const after = await identityOf('una')
  expect(after).toMatchObject({ account: { login: 'una@corp.example', isOfModel: true } })
  expect(after?.account?.uuid).not.toBe(before?.account?.uuid)
})

it('a session ends when the model gets a user with its address, and the next sign-in may be refused', async () => {
  await deleteMethod(server.context, method)
  await trust(['other.example'])
  const browser = newBrowser()
  await signIn(browser, person('vic'))
  await createRecord(server.context, 'users', { email: 'vic@corp.example' }, [])
  expect(await silently(browser)).toBe('login_required')
  const page = await signIn(newBrowser(), person('vic'))
  expect(page.text).toContain('may not sign in here')
  expect(page.text).not.toMatch(/corp\.example|emailDomains/)
  expect(server.log.join('\n')).toContain('emailDomains of Company does not have corp.example')
})

it('a session goes on as the user of the model where the provider is trusted, until that user is not ACTIVATED', async () => {
  await deleteMethod(server.context, method)
  await trust(['corp.example'])
  const browser = newBrowser()
  await signIn(browser, person('wes'))
  const before = await identityOf('wes')
  await createRecord(server.context, 'users', { email: 'wes@corp.example' }, [])
  expect(await silently(browser)).toBe('code')
  expect(await identityOf('wes')).toMatchObject({ account: { uuid: before?.account?.uuid, isOfModel: true } })
  await updateRecord(server.context, 'users', 'wes@corp.example', { status: 'ARCHIVED' }, [])
  expect(await silently(browser)).toBe('login_required')
  expect((await signIn(newBrowser(), person('wes'))).text).toContain('may not sign in here')
})

it('a session ends with the trust that it came by', async () => {
  await deleteMethod(server.context, method)
  await trust(['corp.example'])
  await createRecord(server.context, 'users', { email: 'xia@corp.example' }, [])
  const browser = newBrowser()
  await signIn(browser, person('xia'))
  await updateMethod(server.context, method, { configuration: { emailDomains: ['other.example'] } })
  expect(await silently(browser)).toBe('login_required')
  expect((await signIn(newBrowser(), person('xia'))).text).toContain('may not sign in here')
})
