import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_GRANTS } from '../../src/records/types/grant.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { begin, enterPassword, post } from './oidc/application.ts'
import { startAttacked, type AttackedServer } from './oidc/attacked-server.ts'
import { makeConsumer, type Consumer } from './oidc/people.ts'
import { startTestServer, type TestServer } from './test-server.ts'

// The log tells who has tried to sign in, and who has changed who may; by no name that was typed.

function linesOf(log: readonly string[], message: string): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['message'] === message)
}

describe('signing in by password', () => {
  let at: AttackedServer
  let script: Consumer
  beforeAll(async () => {
    at = await startAttacked()
    script = await makeConsumer(at.server.access, { grantTypes: ['PASSWORD'] })
  })
  afterAll(() => at.close())

  const ask = (username: string, password: string) =>
    post(at.server.url, '/authenticate/token', { grant_type: 'password', username, password }, { consumer: script })

  it('leaves a line for each attempt, by which those on one account are found', async () => {
    const { login, password } = at.person
    const before = at.server.log.length
    await ask(` ${login.toUpperCase()}`, 'a-wrong-password-8Kd02')
    await ask(login, password)
    await ask('typed-by-mistake-8Kd02', 'a-wrong-password-8Kd02')
    const browser = new CookieClient()
    const page = await browser.open((await begin(at.client)).url)
    await enterPassword(browser, page, { ...at.person, password: 'a-wrong-password-8Kd02' })
    await enterPassword(browser, page, at.person)
    const log = at.server.log.slice(before)
    const lines = linesOf(log, 'sign-in')
    const account = expect.stringMatching(/^[\da-f-]{36}$/) as unknown
    const common = { method: 'password', network: '127.0.0.0/24', loginHash: lines[0]?.['loginHash'] }
    expect(lines).toMatchObject([
      { ...common, outcome: 'failed', account: null, clientId: script.clientId },
      { ...common, outcome: 'succeeded', account, clientId: script.clientId },
      { outcome: 'failed', account: null },
      { ...common, outcome: 'failed', account: null, clientId: null },
      { ...common, outcome: 'succeeded', account: lines[1]?.['account'], clientId: null },
    ])
    expect(lines[2]?.['loginHash']).not.toBe(common.loginHash)
    for (const typed of [login, password, 'a-wrong-password', 'typed-by-mistake'])
      expect(JSON.stringify(log).toLowerCase()).not.toContain(typed.toLowerCase())
  })
})

describe('what an administrator changes', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(await ANY_DATABASE.openMigrated())
  })
  afterAll(() => server.close())

  it('is told with who did it', async () => {
    const { made } = await server.data<{ made: { uuid: string } }>(`mutation {
      made: createOpenIdDelegatedAuthenticationMethod(
        configuration: { clientId: "holdfast", clientSecret: "kept-to-itself-8Kd02mfPq7", issuer: "https://login.example.com" }
      ) { uuid }
    }`)
    const [method, account] = [made.uuid, server.domains[0]?.uuid]
    await server.data(
      `mutation ($method: ID!, $account: ID!) {
        updateAuthenticationMethod(uuid: $method, name: "Other") { uuid }
        deleteAuthenticationMethod(uuid: $method) { uuid }
        endSessionsOf(account: $account) { uuid }
        endSessions { uuid }
      }`,
      { method, account },
    )
    const lines = linesOf(server.log, 'access change')
    expect(lines.map(({ what, target, account: of }) => [what, target ?? of])).toEqual([
      ['method created', method],
      ['method changed', method],
      ['method deleted', method],
      ['sessions ended', account],
    ])
    for (const line of lines) expect(line).toMatchObject({ actor: expect.any(String) as unknown, domain: 'first' })
    expect(server.log.join()).not.toContain('kept-to-itself')
  })

  it('is told of grants, of who signs in, of the settings of the domain and of its key', async () => {
    const before = server.log.length
    const { rotateSigningKey: key } = await server.data<{ rotateSigningKey: { kid: string } }>(`mutation {
      createUser(input: { email: "told@example.org" }) { uuid }
      updateUser(email: "told@example.org", input: { name: "Told" }) { uuid }
      createGrant(input: { role: VIEWER, user: "told@example.org" }) { uuid }
      deleteGrant(key: "viewer/user/told@example.org") { uuid }
      deleteUser(email: "told@example.org") { uuid }
      createDataSource(input: { code: "weather", name: "Weather" }) { uuid }
      createApplicationConsumer(name: "Told", slug: "told", grantTypes: [PASSWORD]) { uuid }
      updateDomain(requiresPkce: true) { uuid }
      rotateSigningKey { kid }
    }`)
    const log = server.log.slice(before)
    const lines = linesOf(log, 'access change')
    expect(lines.map(({ what }) => what)).toStrictEqual([
      'user created',
      'user changed',
      'grant created',
      'grant deleted',
      'user deleted',
      'application consumer created',
      'domain settings changed',
      'signing key rotated',
    ])
    expect(lines[2]?.['target']).toBe(lines[3]?.['target'])
    expect(lines.at(-1)).toMatchObject({ target: key.kid, actor: expect.any(String) as unknown })
    expect(log.join()).not.toContain('told@example.org')
  })

  it('is told of what devices of a system sign in by, without the password', async () => {
    const before = server.log.length
    const { createSystem } = await server.data<{ createSystem: { uuid: string } }>(
      `mutation { createSystem(input: { name: "House" }) { uuid } }`,
    )
    const { made } = await server.data<{ made: { uuid: string; password: string } }>(
      `mutation ($system: ID!) { made: createSystemCredential(system: $system) { uuid password } }`,
      { system: createSystem.uuid },
    )
    await server.data(`mutation ($uuid: ID!) { revokeSystemCredential(uuid: $uuid) { uuid } }`, { uuid: made.uuid })
    const log = server.log.slice(before)
    const common = { account: made.uuid, target: createSystem.uuid }
    expect(linesOf(log, 'access change')).toMatchObject([
      { what: 'system credential created', ...common },
      { what: 'system credential revoked', ...common },
    ])
    expect(log.join()).not.toContain(made.password)
  })

  it('is told of grants that an apply changes: which apply, and how many', async () => {
    const before = server.log.length
    const given = ['viewer', 'editor'].map((role) => ({ role, everyone: 'users' }))
    const settings = {
      access: [...given, ...DEFAULT_GRANTS],
      acknowledge: given.map(({ role }) => ({ code: 'widens-access', type: 'access', key: `${role}/everyone/users` })),
    }
    const { planImport } = await server.data<{ planImport: { json: unknown } }>(
      `query ($settings: JSON) { planImport(document: {}, settings: $settings) { json } }`,
      { settings },
    )
    const { applyImport } = await server.data<{ applyImport: { uuid: string } }>(
      `mutation ($settings: JSON, $plan: JSON!) { applyImport(document: {}, settings: $settings, plan: $plan) { uuid } }`,
      { settings, plan: planImport.json },
    )
    expect(linesOf(server.log.slice(before), 'access change')).toMatchObject([
      { what: 'grants applied', target: applyImport.uuid, grants: 2 },
    ])
  })
})
