import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UUID } from '../../../src/db/columns.ts'
import type { Database } from '../../../src/db/sql.ts'
import { changeDelegatedUser } from '../../../src/platform/access/delegated/delegated-users.ts'
import {
  createDelegatedMethod,
  updateMethod,
  type DelegatedMethod,
} from '../../../src/platform/access/methods/methods.ts'
import { ANY_DATABASE } from '../../support/databases.ts'
import { post } from './application.ts'
import { makeConsumer } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const JWT = 'urn:ietf:params:oauth:token-type:jwt'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const AUDIENCE = 'holdfast-at-the-company'

let database: Database
let server: SignInServer
let method: DelegatedMethod
let issuer: Issuer

interface Issuer {
  readonly url: string
  sign(claims?: JWTPayload): Promise<string>
  close(): void
}

/** Another provider: its discovery document, its keys, and tokens that it signs. */
async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server: Server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    const body = url === '/keys' ? { keys: [jwk] } : { issuer: origin, jwks_uri: `${origin}/keys` }
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const now = Math.floor(Date.now() / 1000)
  const employee = { sub: 'employee-7', email: 'employee-7@corp.example', email_verified: true }
  const usual = { iss: origin, aud: AUDIENCE, ...employee, iat: now, exp: now + 300 }
  return {
    url: origin,
    sign: (claims) =>
      new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

beforeAll(async () => {
  issuer = await startIssuer()
  database = await ANY_DATABASE.openMigrated()
  server = await startSignIn(database, { allowedIssuers: [issuer.url] })
  method = await createDelegatedMethod(server.access, {
    status: 'ACTIVATED',
    configuration: { clientId: AUDIENCE, issuer: issuer.url, scopes: ['openid', 'model:read', 'model:plan'] },
  })
})

afterAll(async () => {
  await server.close()
  issuer.close()
  await database.close()
})

function exchange(subjectToken: string, fields: { readonly [name: string]: string } = {}) {
  const usual = { grant_type: GRANT, client_id: AUDIENCE, subject_token: subjectToken, subject_token_type: JWT }
  return post(server.url, '/authenticate/token', { ...usual, ...fields })
}

async function graphql(token: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${String(token)}` }
  const body = '{"query":"{ me { kind } }"}'
  return (await fetch(`${server.url}/graphql`, { method: 'POST', headers, body })).text()
}

describe('a token of another provider', () => {
  it('becomes one of ours, with the scopes of the method', async () => {
    const { status, body } = await exchange(await issuer.sign())
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        issued_token_type: ACCESS_TOKEN,
        token_type: 'Bearer',
        scope: 'openid model:read model:plan',
      },
    })
    // It ends with the token that it was given for, which ends in 300 s.
    expect(Number(body['expires_in'])).toBeGreaterThan(200)
    expect(Number(body['expires_in'])).toBeLessThanOrEqual(300)
    expect(body).not.toHaveProperty('refresh_token')
    expect(await graphql(body['access_token'])).toBe('{"data":{"me":{"kind":"PERSON"}}}')
  })

  it('leaves a line in the log, with the account or that it was refused', async () => {
    const before = server.log.length
    await exchange(await issuer.sign())
    await exchange(await issuer.sign({ aud: 'another-service' }))
    const lines = server.log.slice(before).filter((line) => line.includes('"message":"sign-in"'))
    const common = { domain: 'main', method: 'provider', network: '127.0.0.0/24' }
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...common, outcome: 'succeeded', account: expect.any(String) as unknown, authenticationMethod: method.uuid },
      { ...common, outcome: 'failed', account: null, authenticationMethod: null },
    ])
    expect(server.log.slice(before).join()).not.toContain('employee-7')
  })

  it('becomes one that may do less, never one that may do more', async () => {
    const token = await issuer.sign()
    expect(await exchange(token, { scope: 'model:plan' })).toMatchObject({ status: 200, body: { scope: 'model:plan' } })
    expect((await exchange(token, { scope: 'service' })).body).toMatchObject({ error: 'invalid_scope' })
  })

  it('becomes none for another service (RFC 8693, section 2.2.2)', async () => {
    const token = await issuer.sign()
    for (const target of [{ audience: 'billing' }, { resource: 'https://other.example/api' }])
      expect(await exchange(token, target)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    for (const target of [{ audience: server.url }, { resource: `${server.url}/graphql` }])
      expect((await exchange(token, target)).status).toBe(200)
  })

  it('is introspected by consumers, and revoked by whoever exchanged it', async () => {
    const token = String((await exchange(await issuer.sign())).body['access_token'])
    const consumer = await makeConsumer(server.access)
    const introspect = async () => (await post(server.url, '/authenticate/introspect', { token }, { consumer })).body
    expect(await introspect()).toMatchObject({ active: true, client_id: AUDIENCE })
    expect((await post(server.url, '/authenticate/introspect', { token, client_id: AUDIENCE })).body).toStrictEqual({
      active: false,
    })
    await post(server.url, '/authenticate/revoke', { token, client_id: AUDIENCE })
    expect(await introspect()).toStrictEqual({ active: false })
  })

  it('ends with the status of its method and of its account', async () => {
    const { access_token: token } = (await exchange(await issuer.sign())).body
    await updateMethod(server.access, method.uuid, { status: 'DEACTIVATED' })
    expect(await graphql(token)).toContain('UNAUTHENTICATED')
    expect((await exchange(await issuer.sign())).status).toBe(401)
    await updateMethod(server.access, method.uuid, { status: 'ACTIVATED' })
    expect(await graphql(token)).toContain('PERSON')
    const [account] = await database.read((sql) =>
      sql.rows({ uuid: UUID }, `select account_uuid as uuid from external_identities`),
    )
    await changeDelegatedUser(server.access, account?.uuid ?? '', 'ARCHIVED')
    expect(await graphql(token)).toContain('UNAUTHENTICATED')
    expect((await exchange(await issuer.sign())).status).toBe(400)
    await changeDelegatedUser(server.access, account?.uuid ?? '', 'ACTIVATED')
  })

  it.each([
    ['for somebody else', { aud: 'another-service' }, /audience/],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 600 }, /expired/],
    ['of an unknown issuer', { iss: 'https://stranger.example' }, /issuer/],
  ])('%s is refused, and why is told', async (_, claims, reason) => {
    const { status, body } = await exchange(await issuer.sign(claims))
    expect(status).toBe(400)
    expect(body['error']).toBe('invalid_request')
    expect(body['error_description']).toMatch(reason)
    // RFC 6749, section 5.2.
    expect(body['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  it('is refused from a client that it is not for', async () => {
    const other = { clientId: 'another-name', issuer: `${issuer.url}/tenant` }
    await createDelegatedMethod(server.access, { status: 'ACTIVATED', configuration: other })
    const token = await issuer.sign({ sub: 'employee-8', email: 'employee-8@corp.example' })
    const { body } = await exchange(token, { client_id: 'another-name' })
    expect(body['error_description']).toContain('client_id is not the audience')
  })

  it.each([
    ['subject_token', ''],
    ['subject_token_type', 'urn:ietf:params:oauth:token-type:saml2'],
    ['requested_token_type', 'urn:ietf:params:oauth:token-type:refresh_token'],
    ['actor_token', 'x'],
  ])('%s must be what can be dealt with', async (name, value) => {
    const { body } = await exchange(await issuer.sign(), { [name]: value })
    expect(body).toMatchObject({ error: 'invalid_request' })
    expect(body['error_description']).toContain(name)
  })

  it('is no way to another grant', async () => {
    for (const grant of ['password', 'authorization_code', 'refresh_token', 'client_credentials'])
      expect((await exchange(await issuer.sign(), { grant_type: grant })).status).toBe(400)
  })
})
