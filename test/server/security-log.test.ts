import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Plan } from '../../src/plan/plan.ts'
import { DEFAULT_GRANTS } from '../../src/records/types/grant.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { begin, enterPassword, post } from './oidc/application.ts'
import { at, useAttacked } from './oidc/attacked-server.ts'
import { makeConsumer, type Consumer } from './oidc/people.ts'
import { contextOf, startTestServer, type TestServer } from './test-server.ts'

// The log tells who has tried to sign in, and who has changed who may; by no name that was typed.

function linesOf(log: readonly string[], message: string): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['message'] === message)
}

describe('signing in by password', () => {
  let script: Consumer
  useAttacked()
  beforeAll(async () => {
    script = await makeConsumer(at.server.access, { grantTypes: ['PASSWORD'] })
  })

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

describe('what is refused', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(await ANY_DATABASE.openMigrated())
    const access = contextOf(server)
    await giveToken(access, await makeMachine(access, 'reader'), { token: READER, scope: 'data:read' })
  })
  afterAll(() => server.close())

  const READER = 'token-of-somebody-who-reads-data'
  const ask = (query: string, headers: { readonly [name: string]: string } = {}) =>
    server.call({ authorization: `Bearer ${READER}`, headers, body: JSON.stringify({ query }) })

  it('leaves a line for each GraphQL operation, by its name and not by its alias', async () => {
    const before = server.log.length
    const [user, machine] = ['user(email: "a@b.example") { uuid }', 'machineUser(username: "c") { uuid }']
    const { headers } = await ask(`{ currentDomain { uuid } typed8Kd02: ${user} b: ${machine} }`)
    const log = server.log.slice(before)
    const refused = { traceId: headers['x-trace-id'], code: 'FORBIDDEN' }
    expect(linesOf(log, 'refused')).toStrictEqual([
      { message: 'refused', ...refused, operation: 'user' },
      { message: 'refused', ...refused, operation: 'machineUser' },
    ])
    expect(linesOf(log, 'request')).toMatchObject([{ traceId: refused.traceId, actor: 'reader', address: '127.0.0.1' }])
    expect(log.join()).not.toContain('typed8Kd02')
  })

  it('leaves one line for an operation that a request repeats', async () => {
    const before = server.log.length
    await ask('{ a: user(email: "a@b.example") { uuid } b: user(email: "c@d.example") { uuid } }')
    expect(linesOf(server.log.slice(before), 'refused')).toMatchObject([{ operation: 'user' }])
  })

  it('leaves a line for a subscription', async () => {
    const before = server.log.length
    await ask('subscription { applies { cursor } }', { accept: 'text/event-stream' })
    expect(linesOf(server.log.slice(before), 'refused')).toMatchObject([{ code: 'FORBIDDEN', operation: 'applies' }])
  })

  it('leaves no line where a request is only wrong', async () => {
    const before = server.log.length
    await ask('{ nothing }')
    await server.graphql('{ user(email: "a@b.example") { uuid } }')
    expect(linesOf(server.log.slice(before), 'refused')).toStrictEqual([])
  })
})

describe('health checks', () => {
  it('leave a line only where they fail', async () => {
    const server = await startTestServer(await ANY_DATABASE.openMigrated())
    const probe = (path: string) => server.call({ method: 'GET', path, authorization: null })
    for (const path of ['/healthz', '/readyz']) expect(await probe(path)).toMatchObject({ status: 200 })
    expect(server.log).toStrictEqual([])
    server.lifecycle.state = 'draining'
    await probe('/readyz')
    expect(linesOf(server.log, 'request')).toMatchObject([{ path: '/readyz', status: 503 }])
    await server.close()
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
    const access = [...given, ...DEFAULT_GRANTS]
    const planned = await server.data<{ planImport: { json: Plan } }>(
      `query ($settings: JSON) { planImport(document: {}, settings: $settings) { json } }`,
      { settings: { access } },
    )
    const { digest } = planned.planImport.json.access.diff ?? {}
    const settings = { access, acknowledge: [{ code: 'widens-access', type: 'access', digest }] }
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
