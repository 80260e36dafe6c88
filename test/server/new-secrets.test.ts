import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/documents/read/read-document.ts'
import { type GraphqlAnswer } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// Secrets of programs: made where none is given, refused where they can be guessed or OAuth cannot carry them.

const CONSUMER = `mutation ($slug: String!, $secret: String, $redirectUris: [String!], $main: String) {
  createApplicationConsumer(name: "App", slug: $slug, secret: $secret, grantTypes: [PASSWORD], redirectUris: $redirectUris, defaultRedirectUri: $main) {
    identifier
    secret
  }
}`
const STRONG = crypto.randomUUID()

useServer()

async function problem(query: string, variables: object): Promise<string> {
  const { json } = await server.call({ body: JSON.stringify({ query, variables }) })
  const { errors } = json as GraphqlAnswer
  return errors === undefined ? 'nothing is wrong' : JSON.stringify(errors)
}

/** What a document says instead, as code and severity. */
function findings(document: object): string[] {
  return readDocument(document).diagnostics.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`)
}

const consumer = (fields: object) => ({
  applicationConsumers: [{ name: 'App', slug: 'app', secret: STRONG, grantTypes: ['PASSWORD'], ...fields }],
})

describe('a client secret', () => {
  it('is made where none is given, is shown once, and signs in', async () => {
    const { createApplicationConsumer: made } = await server.data<{
      createApplicationConsumer: { identifier: string; secret: string }
    }>(CONSUMER, { slug: 'made' })
    expect(made.identifier).toMatch(/^made\.[0-9a-f]{8}$/)
    expect(made.secret).toMatch(/^[\w-]{43}$/)
    const again = await server.data('{ applicationConsumer(slug: "made") { secret } }', {})
    expect(again).toStrictEqual({ applicationConsumer: { secret: null } })
    const answer = await fetch(`${server.url}/authenticate/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${made.identifier}:${made.secret}`)}` },
      body: new URLSearchParams({ token: 'none' }),
    })
    expect(answer.status).toBe(200)
  })

  it.each(['a', 'x'.repeat(40), 'correct horse'])('%s is refused, and in a document a warning', async (secret) => {
    expect(await problem(CONSUMER, { slug: 'weak', secret })).toMatch(/the secret [^"]*; make one with: openssl/)
    expect(findings(consumer({ secret }))).toContain('warning weak-secret /applicationConsumers/0/secret')
  })

  it('that is a reference is not looked at', () => {
    expect(findings(consumer({ secret: '${env:A}' }))).toStrictEqual([])
  })

  it('beyond ASCII never arrives by Basic, so it is refused when it is set', async () => {
    const secret = `ü${STRONG}`
    expect(await problem(CONSUMER, { slug: 'umlaut', secret })).toContain('beyond ASCII')
    expect(findings(consumer({ secret }))).toStrictEqual(['error secret-characters /applicationConsumers/0/secret'])
  })
})

it('a password of a machine user can be weak neither', async () => {
  const create = 'mutation ($p: String!) { createMachineUser(input: { username: "m", password: $p }) { username } }'
  expect(await problem(create, { p: 'aaaaaaaaaaaaaaaaaaaaaaaa' })).toContain('one character again and again')
  await server.data(create, { p: STRONG })
  const update = 'mutation ($p: String!) { updateMachineUser(username: "m", input: { password: $p }) { username } }'
  expect(await problem(update, { p: 'short' })).toContain('short or uniform enough')
  expect(
    await problem('mutation { updateMachineUser(username: "m", input: { status: ARCHIVED }) { status } }', {}),
  ).toBe('nothing is wrong')
  expect(findings({ machineUsers: [{ username: 'm', password: 'a' }] })).toStrictEqual([
    'warning weak-secret /machineUsers/0/password',
  ])
})

it.each(['ümlaut', 'My App', 'a/b', 'a:b', 'a%20b'])(
  'the slug %s, which OAuth cannot carry, is refused',
  async (slug) => {
    expect(await problem(CONSUMER, { slug })).toContain('becomes a client_id')
    expect(findings(consumer({ slug }))).toStrictEqual(['error slug-characters /applicationConsumers/0/slug'])
  },
)

it.each([
  ['https://app.example/callback#here', 'has a fragment'],
  ['javascript:alert(1)', 'has the scheme javascript'],
  ['http://app.example/callback', 'unencrypted'],
  ['https://*.example.com/callback', 'wildcard'],
])('the address %s is refused, alone and by default, when it is made and when it is changed', async (uri, why) => {
  expect(await problem(CONSUMER, { slug: 'unsafe', redirectUris: [uri] })).toContain(why)
  expect(await problem(CONSUMER, { slug: 'unsafe', main: uri })).toContain(why)
  expect(findings(consumer({ redirectUris: [uri], defaultRedirectUri: uri }))).toStrictEqual([
    'error redirect-uri /applicationConsumers/0/defaultRedirectUri',
    'error redirect-uri /applicationConsumers/0/redirectUris/0',
  ])
  const slug = crypto.randomUUID()
  await server.data(CONSUMER, { slug, redirectUris: ['com.example.app:/callback', 'http://localhost:3000/'] })
  const update = `mutation ($slug: String!, $uris: [String!]) { updateApplicationConsumer(slug: $slug, input: { redirectUris: $uris }) { slug } }`
  expect(await problem(update, { slug, uris: [uri] })).toContain(why)
  expect(await problem(update, { slug, uris: ['https://app.example/'] })).toBe('nothing is wrong')
})

it('no grant type, and an entry that is given twice, are warnings', () => {
  expect(
    findings(
      consumer({
        grantTypes: ['PASSWORD', 'REFRESH_TOKEN', 'PASSWORD'],
        redirectUris: ['https://a.example/', 'https://b.example/', 'https://a.example/'],
        scopes: ['email', 'email'],
      }),
    ),
  ).toStrictEqual([
    'warning repeated-entry /applicationConsumers/0/grantTypes/2',
    'warning repeated-entry /applicationConsumers/0/redirectUris/2',
    'warning repeated-entry /applicationConsumers/0/scopes/1',
  ])
  expect(findings(consumer({ grantTypes: [] }))).toStrictEqual([
    'warning no-grant-types /applicationConsumers/0/grantTypes',
  ])
  expect(findings(consumer({ grantTypes: [], scopes: [] }))).toStrictEqual([])
})
