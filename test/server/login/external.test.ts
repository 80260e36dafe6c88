import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { JSONB_OBJECT } from '../../../src/db/columns.ts'
import type { Account } from '../../../src/platform/access/accounts/account.ts'
import { findAccount } from '../../../src/platform/access/accounts/accounts.ts'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
  type DelegatedMethod,
} from '../../../src/platform/access/methods/methods.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import { findArtifact } from '../../../src/store/access/artifacts.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import { startExternalIssuer, type ExternalIssuer } from '../../support/external-issuer.ts'
import { ANN, startLoginServer, type LoginServer } from '../../support/login-server.ts'
import { choose, comeBack, locationOf, newBrowser, openLogin, visitCompany } from './company-visit.ts'

const PEOPLE = [
  { sub: 'carol', email: 'Carol@Company.example', email_verified: true, name: 'Carol Company' },
  { sub: 'ann-there', email: ANN.email, email_verified: true, name: 'Ann at the company' },
  { sub: 'nameless' },
]

let server: LoginServer
let company: ExternalIssuer
let method: DelegatedMethod

beforeAll(async () => {
  company = await startExternalIssuer(() => ({ redirectUris: [`${server.url}/login/callback`], people: PEOPLE }))
  server = await startLoginServer({ allowedOrigins: [company.issuer] })
})
beforeEach(async () => {
  for (const { uuid, kind } of await listMethods(server.context)) {
    if (kind === 'openid-delegated') await deleteMethod(server.context, uuid)
    else await updateMethod(server.context, uuid, { status: 'ACTIVATED' })
  }
  const { clientId, issuer, clientSecret } = company
  method = await createDelegatedMethod(server.context, {
    status: 'ACTIVATED',
    name: 'The company',
    configuration: { clientId, issuer, clientSecret, emailDomains: ['company.example'] },
  })
  company.silence(false)
})
afterAll(async () => {
  await server.close()
  await company.close()
})

async function onlyTheCompany(): Promise<void> {
  const internal = (await listMethods(server.context)).find(({ kind }) => kind === 'internal')
  await updateMethod(server.context, internal?.uuid ?? '', { status: 'DEACTIVATED' })
}

async function signInAs(sub: string, browser = newBrowser()): Promise<Reply> {
  return browser.here.open(await comeBack(server, browser, `sub=${sub}`))
}

/** The account that the application's code is for. */
async function accountIn(reply: Reply): Promise<Account | null> {
  const code = new URL(locationOf(reply)).searchParams.get('code') ?? ''
  const { database, domain } = server.context
  const artifact = await readDomain(database, domain.id, (sql) =>
    findArtifact(sql, domain.id, 'AuthorizationCode', tokenHash(code)),
  )
  return findAccount(server.context, artifact?.accountUuid ?? '')
}

/** A method whose provider nobody has asked before. */
async function replaceMethod(): Promise<DelegatedMethod> {
  await deleteMethod(server.context, method.uuid)
  return createDelegatedMethod(server.context, {
    status: 'ACTIVATED',
    configuration: { clientId: `${company.clientId}-fresh`, issuer: company.issuer },
  })
}

describe('several ways of signing in', () => {
  it('are listed, those that are activated', async () => {
    const { text } = await openLogin(server, newBrowser())
    expect(text).toContain('type="password"')
    expect(text).toContain('Continue with The company')
    await updateMethod(server.context, method.uuid, { status: 'DEACTIVATED' })
    const without = await openLogin(server, newBrowser())
    expect(without.text).not.toContain('The company')
  })

  it('lead to the provider with PKCE, state and nonce, and back with a code', async () => {
    const browser = newBrowser()
    const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
    expect(leave.origin).toBe(company.issuer)
    expect(Object.fromEntries(leave.searchParams)).toStrictEqual({
      response_type: 'code',
      client_id: company.clientId,
      redirect_uri: `${server.url}/login/callback/${method.uuid}`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const back = await browser.here.open(await visitCompany(browser, leave.href, 'sub=carol'))
    expect(locationOf(back)).toContain(`${server.application.callback}?code=`)
  })
})

describe('exactly one, at another provider', () => {
  it('is where the authorization endpoint sends the browser', async () => {
    await onlyTheCompany()
    const first = await new CookieClient().get(server.authorizationUrl('trusted'))
    expect(locationOf(first)).toContain(`${company.issuer}/auth?`)
  })

  it('is asked for in vain: the login UI says so, and does not go round in circles', async () => {
    await onlyTheCompany()
    company.silence(true)
    const fresh = await replaceMethod()
    const page = await openLogin(server, newBrowser())
    expect(page.status).toBe(200)
    expect(new URL(page.url).pathname).toBe('/login')
    expect(page.text).toContain('The other provider does not answer')
    expect(page.text).toContain(`Continue with ${fresh.name}`)
    expect(server.log.join('\n')).toContain('external sign-in')
  })
})

describe('who comes back', () => {
  it('leaves a line in the log, with the account or that it was refused', async () => {
    const before = server.log.length
    const account = await accountIn(await signInAs('carol'))
    await signInAs('ann-there')
    const lines = server.log.slice(before).filter((line) => line.includes('"message":"sign-in"'))
    const common = { method: 'provider', authenticationMethod: method.uuid, network: '127.0.0.0/24', clientId: null }
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...common, outcome: 'succeeded', account: account?.uuid },
      { ...common, outcome: 'failed', account: null },
    ])
    expect(lines.join()).not.toMatch(/carol|ann/i)
  })

  it('is a new user of that e-mail address, and the same one the next time', async () => {
    const first = await accountIn(await signInAs('carol'))
    expect(first).toMatchObject({ login: 'carol@company.example', name: 'Carol Company', status: 'ACTIVATED' })
    const second = await accountIn(await signInAs('carol'))
    expect(second?.uuid).toBe(first?.uuid)
  })

  it('is refused with the address of a user here, and only administrators see why', async () => {
    const page = await signInAs('ann-there')
    expect(page.text).toContain('may not sign in here')
    expect(page.text).not.toMatch(/emailDomains|example\.org/)
  })

  it('is that user where the method trusts the provider with that', async () => {
    await server.context.database.transaction((sql) => sql.query('delete from external_identities'))
    await updateMethod(server.context, method.uuid, { configuration: { emailDomains: ['example.org'] } })
    expect(await accountIn(await signInAs('ann-there'))).toMatchObject({ login: ANN.email, name: ANN.name })
  })

  it('needs no name and no e-mail address', async () => {
    expect(await accountIn(await signInAs('nameless'))).toMatchObject({ email: null, name: null })
  })

  it('is not let in where the rules of the method do not fit', async () => {
    const rules = [{ name: 'staff', claims: { email: 'somebody@else.example' }, scopes: ['service'] }]
    await updateMethod(server.context, method.uuid, { configuration: { rules } })
    const page = await signInAs('carol')
    expect(page.text).toContain('may not sign in here')
  })

  it('has refused there, and is told that here', async () => {
    const browser = newBrowser()
    const page = await browser.here.open(await comeBack(server, browser, 'refuse'))
    expect(page.text).toContain('You did not sign in at the other provider.')
    expect(page.text).toContain('Continue with The company')
  })
})

describe('an answer of the provider', () => {
  it('counts in the browser that left alone: nobody is signed in as somebody else', async () => {
    const attacker = newBrowser()
    const answer = await comeBack(server, attacker)
    const victim = await newBrowser().here.open(answer)
    expect(victim.status).toBe(400)
    expect(victim.text).toContain('This sign-in has expired')
    // It is not used up by that.
    expect(locationOf(await attacker.here.open(answer))).toContain('code=')
  })

  it('counts once', async () => {
    const browser = newBrowser()
    const answer = await comeBack(server, browser)
    await browser.here.get(answer)
    const again = await browser.here.get(answer)
    expect(again.status).toBe(400)
  })

  it.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (url: URL) => url.searchParams.delete('state')],
  ])('with %s is of nobody', async (_, change) => {
    const browser = newBrowser()
    const url = new URL(await comeBack(server, browser))
    change(url)
    expect((await browser.here.get(url.href)).status).toBe(400)
  })

  it.each([
    ['another issuer (mix-up)', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['no issuer, where it says that it names itself', (url: URL) => url.searchParams.delete('iss')],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'.repeat(43))],
    ['no code', (url: URL) => url.searchParams.delete('code')],
  ])('with %s signs nobody in', async (_, change) => {
    const browser = newBrowser()
    const url = new URL(await comeBack(server, browser))
    change(url)
    const page = await browser.here.open(url.href)
    expect(page.text).toContain('Signing in at the other provider did not work')
  })

  it('comes too late where the method is not activated any more', async () => {
    const browser = newBrowser()
    const answer = await comeBack(server, browser)
    await updateMethod(server.context, method.uuid, { status: 'ARCHIVED' })
    const page = await browser.here.open(answer)
    expect(page.text).toContain('not available any more')
    expect(page.text).not.toContain('The company')
  })
})

it('nothing in the database helps whoever reads it to go on with a sign-in', async () => {
  const browser = newBrowser()
  const page = await openLogin(server, browser)
  const leave = new URL(await choose(server, browser, page))
  const rows = await server.context.database.read((sql) =>
    sql.rows({ payload: JSONB_OBJECT }, `select payload from artifacts where kind = 'ExternalLogin'`),
  )
  const text = JSON.stringify(rows.map(({ payload }) => payload))
  const { searchParams } = leave
  for (const secret of [
    searchParams.get('state'),
    searchParams.get('nonce'),
    new URL(page.url).searchParams.get('interaction'),
  ])
    expect(text).not.toContain(secret)
  expect(rows.length).toBeGreaterThan(0)
})

it('logs no code, no token and no secret', () => {
  expect(server.log.join('\n')).not.toMatch(/code=|state=|eyJ|between-the-two-of-us/)
})
