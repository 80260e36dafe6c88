import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { allowInsecureRequests, discovery } from 'openid-client'
import { SCOPES } from '../../../src/auth/scopes.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { expectHeadersOfEveryAnswer } from '../test-server.ts'
import { makeConsumer, CALLBACK } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

const DISCOVERY = '/.well-known/openid-configuration'

let database: Database
let server: SignInServer
let behindProxy: SignInServer

beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  server = await startSignIn(database)
  behindProxy = await startSignIn(database, { baseUrl: 'https://main.example' })
})

afterAll(async () => {
  await server.close()
  await behindProxy.close()
  await database.close()
})

type Headers = { readonly [name: string]: string }

function get(path: string, headers: Headers = {}, { url = server.url, method = 'GET' } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const request = httpRequest(new URL(path, url), { method, agent: false, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end()
  })
}

async function document(headers: Headers = {}, url = server.url): Promise<{ readonly [member: string]: unknown }> {
  return JSON.parse((await get(DISCOVERY, headers, { url })).text) as { readonly [member: string]: unknown }
}

/** The status of an answer, and the pages by whose origin it may be read. */
const allowed = async (path: string, headers: Headers, method: string) => {
  const answer = await get(path, headers, { method })
  return [answer.status, answer.headers['access-control-allow-origin']]
}

describe('the discovery document', () => {
  it('says exactly what there is', async () => {
    const { url } = server
    expect(await document()).toStrictEqual({
      issuer: url,
      authorization_endpoint: `${url}/authenticate`,
      token_endpoint: `${url}/authenticate/token`,
      jwks_uri: `${url}/authenticate/keys`,
      userinfo_endpoint: `${url}/authenticate/userinfo`,
      revocation_endpoint: `${url}/authenticate/revoke`,
      introspection_endpoint: `${url}/authenticate/introspect`,
      end_session_endpoint: `${url}/logout`,
      grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
      response_types_supported: ['code'],
      response_modes_supported: ['form_post', 'fragment', 'query'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: Object.keys(SCOPES),
      subject_types_supported: ['public'],
      claim_types_supported: ['normal'],
      claims_supported: ['sub', 'email', 'email_verified', 'name', 'preferred_username', 'sid', 'auth_time', 'iss'],
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    })
  })

  it('is the metadata of the authorization server too (RFC 8414)', async () => {
    const path = '/.well-known/oauth-authorization-server'
    expect(JSON.parse((await get(path)).text)).toStrictEqual(await document())
    const found = await discovery(new URL(server.url), 'anybody', undefined, undefined, {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
    })
    expect(found.serverMetadata()).toMatchObject({ issuer: server.url, scopes_supported: Object.keys(SCOPES) })
    expect(await allowed(path, { origin: 'https://page.example' }, 'GET')).toStrictEqual([200, 'https://page.example'])
  })

  it('leads a client from the refused address to the token (RFC 9728)', async () => {
    for (const path of ['/graphql', '/rest/v1/data-points', '/rest/v1/data-points/add']) {
      const method = path.endsWith('data-points') ? 'GET' : 'POST'
      const challenge = String((await get(path, {}, { method })).headers['www-authenticate'])
      const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
      const answer = await fetch(address)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(await answer.json()).toStrictEqual({
        resource: server.url + path,
        resource_name: 'main',
        authorization_servers: [(await document())['issuer']],
        scopes_supported: Object.keys(SCOPES),
        bearer_methods_supported: ['header'],
      })
    }
    const whole = await get('/.well-known/oauth-protected-resource')
    expect(JSON.parse(whole.text)).toHaveProperty('resource', server.url)
    expect((await get('/.well-known/oauth-protected-resource/elsewhere')).status).toBe(404)
    expect(await get('/.well-known/oauth-protected-resource', { host: 'other.example:81' })).toMatchObject({
      text: expect.stringContaining('"resource":"http://other.example:81"') as string,
    })
  })

  it.each(['/rest/%E2%82%AC', '/rest/%0d%0ax:y', '/rest/%22,x=%22y', '/rest/%ff'])(
    'has the path %s in the challenge as the client sent it',
    async (path) => {
      const { status, headers, text } = await get(path)
      const address = `${server.url}/.well-known/oauth-protected-resource${path}`
      expect(JSON.parse(text)).toMatchObject({ status, code: 'UNAUTHENTICATED' })
      expect(headers['www-authenticate']).toBe(`Bearer realm="holdfast", resource_metadata="${address}"`)
      expect(await (await fetch(address)).json()).toHaveProperty('resource', server.url + path)
    },
  )

  it('names endpoints that answer', async () => {
    const endpoints = Object.entries(await document()).filter(([name]) => /_endpoint$|_uri$/.test(name))
    expect(endpoints).toHaveLength(7)
    for (const [, url] of endpoints) expect((await get(new URL(String(url)).pathname)).status).not.toBe(404)
  })

  it('publishes public keys only', async () => {
    const { keys } = JSON.parse((await get('/authenticate/keys')).text) as { keys: object[] }
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(Object.keys(key).sort()).toStrictEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  it.each([DISCOVERY, '/authenticate/keys'])('may be read by a page of any origin, and by HEAD: %s', async (path) => {
    expect((await get(path, { origin: 'https://page.example' })).headers['access-control-allow-origin']).toBe(
      'https://page.example',
    )
    expect(await get(path, {}, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('pages of another origin can call neither the token endpoint nor the API', async () => {
    const from = { origin: 'https://page.example' }
    const preflight = { ...from, 'access-control-request-method': 'POST' }
    const { clientId, secret } = await makeConsumer(server.access)
    const basic = { ...from, authorization: `Basic ${btoa(`${clientId}:${secret}`)}` }
    expect(await allowed('/authenticate/token', preflight, 'OPTIONS')).toStrictEqual([204, from.origin])
    expect(await allowed('/authenticate/token', basic, 'POST')).toStrictEqual([400, undefined])
    for (const path of ['/graphql', '/rest/v1/data-points'])
      expect(await allowed(path, preflight, 'OPTIONS')).toStrictEqual([401, undefined])
  })

  it.each([
    ['POST', DISCOVERY, 'GET, OPTIONS'],
    ['GET', '/authenticate/token', 'POST, OPTIONS'],
    ['DELETE', '/authenticate', 'GET, POST'],
    ['GET', '/logout/confirm', 'POST'],
  ])('%s %s is told what is possible', async (method, path, allow) => {
    const answer = await get(path, {}, { method })
    expect(answer).toMatchObject({ status: 405, headers: { allow } })
  })
})

describe('the address of an issuer', () => {
  it('is the Host of the request', async () => {
    expect(await document({ host: 'main.example:8080' })).toHaveProperty('issuer', 'http://main.example:8080')
  })

  it('is HOLDFAST_BASE_URL for the domain that it names', async () => {
    for (const host of ['main.example', '127.0.0.1', 'main.example:81'])
      expect(await document({ host }, behindProxy.url)).toMatchObject({
        issuer: 'https://main.example',
        token_endpoint: 'https://main.example/authenticate/token',
      })
  })

  it('has the protocol and the port of HOLDFAST_BASE_URL for other domains too', async () => {
    for (const host of ['other.example', 'other.example:81', 'OTHER.example:443'])
      expect(await document({ host }, behindProxy.url)).toHaveProperty('issuer', 'https://other.example')
  })

  it.each([
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '444'],
    ['x-forwarded-for', '203.0.113.7'],
    ['forwarded', 'host=evil.example;proto=https'],
    ['x-original-host', 'evil.example'],
    ['x-forwarded-prefix', '/evil'],
  ])('cannot be changed by %s', async (name, value) => {
    expect(JSON.stringify(await document({ [name]: value }))).toBe(JSON.stringify(await document()))
    const { clientId } = await makeConsumer(server.access)
    const query = new URLSearchParams({ client_id: clientId, response_type: 'code', redirect_uri: CALLBACK })
    const { headers } = await get(`/authenticate?${query.toString()}`, { [name]: value })
    expect(JSON.stringify(headers)).not.toMatch(/evil|:444|https:/)
  })

  it('cannot be changed by an absolute address in the request line', async () => {
    const { hostname, port } = new URL(server.url)
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let received = ''
      socket.on('data', (chunk) => (received += chunk.toString()))
      socket.on('end', () => resolve(received))
      socket.on('error', reject)
      socket.write(`GET http://evil.example${DISCOVERY} HTTP/1.1\r\nHost: main.example\r\nConnection: close\r\n\r\n`)
    })
    expect(text).toMatch(/^HTTP\/1.1 200/)
    expect(text).toContain('"authorization_endpoint":"http://main.example/authenticate"')
    expect(text).not.toContain('evil')
  })

  it('is nobody for a host that no domain has', async () => {
    expect((await get(DISCOVERY, { host: 'evil.example' })).status).toBe(421)
  })
})

it('every answer has the headers of all answers, and nothing that it may load', async () => {
  for (const [path, method] of [
    [DISCOVERY, 'GET'],
    ['/authenticate', 'GET'],
    ['/authenticate/token', 'POST'],
    ['/authenticate/userinfo', 'GET'],
    ['/logout/success', 'GET'],
  ] as const) {
    const answer = await get(path, {}, { method })
    expectHeadersOfEveryAnswer({ headers: answer.headers })
    const isPublic = path.startsWith('/.well-known/')
    expect(answer.headers['cache-control']).toBe(isPublic ? 'no-store' : 'no-store, no-transform')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'.*frame-ancestors 'none'/)
  }
})

async function cookiesOf(url: string, host: string): Promise<readonly string[]> {
  const { clientId } = await makeConsumer(server.access)
  const query = new URLSearchParams({ client_id: clientId, response_type: 'code', redirect_uri: CALLBACK })
  const { cookies } = await new CookieClient({ host }).get(`${url}/authenticate?${query.toString()}`)
  return cookies
}

describe('cookies', () => {
  it('are only for https and this host under TLS', async () => {
    const cookies = await cookiesOf(behindProxy.url, 'main.example')
    expect(cookies.length).toBeGreaterThan(2)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__(Host|Secure)-holdfast-/)
      expect(cookie).toMatch(/; ?secure/i)
      expect(cookie).toMatch(/; ?httponly/i)
      expect(cookie).toMatch(/; ?samesite=lax/i)
      expect(cookie).not.toMatch(/domain=/i)
      // A browser takes no `__Host-` cookie with another path.
      expect(cookie).toMatch(/^__Secure-|; ?path=\/(;|$)/i)
    }
  })

  it('have plain names without TLS, where browsers refuse the others', async () => {
    for (const cookie of await cookiesOf(server.url, 'main.example')) {
      expect(cookie).toMatch(/^holdfast-/)
      expect(cookie).not.toMatch(/; ?secure/i)
      expect(cookie).toMatch(/; ?httponly/i)
    }
  })
})

it('an authorization request may be a form, which becomes an address without secrets', async () => {
  const { clientId } = await makeConsumer(server.access)
  const fields = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: CALLBACK,
    client_secret: 'x',
    state: 'ä&=',
  }
  const browser = new CookieClient()
  const reply = await browser.post(`${server.url}/authenticate`, fields)
  expect(reply.status).toBe(303)
  expect(reply.headers.location).not.toContain('secret')
  expect((await browser.follow(reply)).text).toContain('Sign in')
})
