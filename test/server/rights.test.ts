import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../src/auth/scopes.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { createApp } from '../../src/server/app.ts'
import { Lifecycle } from '../../src/server/lifecycle.ts'
import { ERRORS_ONLY } from '../../src/server/logger.ts'
import { giveToken } from '../support/access.ts'
import { allowedByScopes, EXPECTED_OPERATIONS, WITHIN } from './expected-rights.ts'
import { sampleCalls } from './sample-arguments.ts'
import { type Answer, type GraphqlAnswer } from './test-server.ts'
import { REST_RIGHTS } from './rest-rights.ts'
import { server, useServer } from './one-server.ts'

useServer()

const tokens = new Map<string, Promise<string>>()

/** A token of the operator with these scopes. */
function tokenWith(scope: string): Promise<string> {
  const known = tokens.get(scope) ?? makeToken(scope)
  tokens.set(scope, known)
  return known
}

async function makeToken(scope: string): Promise<string> {
  const [access] = server.access
  const operator = access && (await findAccountByLogin(access, 'machine', 'operator'))
  if (!access || !operator) throw new Error('there is no operator')
  return giveToken(access, operator, { scope })
}

async function ask(query: string, scope: string): Promise<GraphqlAnswer> {
  const authorization = `Bearer ${await tokenWith(scope)}`
  return (await server.call({ body: JSON.stringify({ query }), authorization })).json as GraphqlAnswer
}

const codesOf = ({ errors = [] }: GraphqlAnswer) => errors.map(({ extensions }) => extensions['code'])

it('the table has every operation once', () => {
  const operations = new Set([...sampleCalls().map(({ name }) => name), ...REST_RIGHTS.map(([operation]) => operation)])
  expect(EXPECTED_OPERATIONS.toSorted()).toEqual([...operations].sort())
  expect([...WITHIN].filter((name) => !operations.has(name))).toEqual([])
})

describe.each([...Object.keys(SCOPES), 'nobody-knows', 'openid email profile', 'model:plan datapoints:write'])(
  'a token with the scope %s',
  (scope) => {
    const allowed = allowedByScopes(scope.split(' '))

    it('is refused every operation that is not for it, and no other', async () => {
      const wrong: string[] = []
      for (const { name, query } of sampleCalls()) {
        // Nothing else is said before the right is looked at: the sample is a well-formed call.
        const isRefused = codesOf(await ask(query, scope)).includes('FORBIDDEN')
        if (isRefused === allowed.has(name)) wrong.push(name)
      }
      expect(wrong).toEqual([])
    })

    it.each(REST_RIGHTS)('%s', async (operation) => {
      const { status } = await callRoute(operation, await tokenWith(scope))
      expect(status === 403).toBe(!allowed.has(operation))
    })
  },
)

function callRoute(operation: string, token: string | null): Promise<Answer> {
  const [method = '', path = ''] = operation.split(' ')
  return server.call({
    method,
    path: path.replaceAll(/:\w+/g, 'x'),
    authorization: token === null ? null : `Bearer ${token}`,
  })
}

describe('a token that can plan', () => {
  it('can plan, and ask who and where it is', async () => {
    const { data, errors } = await ask(
      '{ planImport(document: {}) { json } me { scopes rights } currentDomain { name } }',
      'model:plan',
    )
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ me: { scopes: ['model:plan'], rights: ['self:read', 'domain:read', 'model:plan'] } })
  })

  it('is told which scope an apply needs, and which it has', async () => {
    const { data, errors } = await ask('mutation { applyImport(document: {}, plan: {}) { uuid } }', 'model:plan')
    expect(data).toBeNull()
    expect(errors).toMatchObject([
      {
        message: 'applyImport needs a token with the scope model:apply or service; this one has only model:plan',
        path: ['applyImport'],
        extensions: { code: 'FORBIDDEN', details: [{ right: 'model:apply', scopes: ['model:apply', 'service'] }] },
      },
    ])
  })
})

it('what a request may do is done, though it may not do the rest', async () => {
  const create = 'createDataSource(input: { code: "a", name: "A" }) { code }'
  const { data, errors } = await ask(`mutation { ${create} deleteUser(email: "a@b.example") { email } }`, 'model:write')
  expect(errors).toMatchObject([{ path: ['deleteUser'], extensions: { code: 'FORBIDDEN' } }])
  expect(data).toStrictEqual({ createDataSource: { code: 'a' }, deleteUser: null })
  const { data: after } = await ask('{ dataSource(code: "a") { name } }', 'model:read')
  expect(after).toEqual({ dataSource: { name: 'A' } })
})

it('a REST route says with which scope to come again (RFC 6750, section 3.1)', async () => {
  const answer = await callRoute('GET /rest/v1/data-points', await tokenWith('datapoints:write'))
  expect(answer.status).toBe(403)
  expect(answer.headers['www-authenticate']).toBe(
    'Bearer realm="holdfast", error="insufficient_scope", scope="data:read", resource_metadata="http://first.example/.well-known/oauth-protected-resource/rest/v1/data-points"',
  )
  expect(answer.json).toMatchObject({
    code: 'FORBIDDEN',
    detail: expect.stringContaining('this one has only datapoints:write'),
  })
})

/** Where nobody has a token, or where signing in is what happens. */
const PUBLIC = [
  'GET /healthz',
  'GET /readyz',
  'GET /errors',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/*',
  'GET /rest/v1/import-document.schema.json',
  'GET /rest/v1/settings.schema.json',
  'GET /rest/v1/plan.schema.json',
  'GET /rest/v1/openapi.json',
  'GET /graphql/schema.graphql',
  'GET /authenticate',
  'POST /authenticate',
  'GET /authenticate/:interaction',
  'GET /authenticate/keys',
  'POST /authenticate/token',
  'POST /authenticate/revoke',
  'POST /authenticate/introspect',
  'GET /login',
  'POST /login',
  'GET /login/external',
  'GET /login/callback',
  'GET /login/callback/:method',
  'GET /login/password',
  'POST /login/password',
  'GET /fonts/:digest/plex-sans-latin.woff2',
  'GET /fonts/:digest/plex-mono-latin.woff2',
  'GET /logout',
  'POST /logout/confirm',
  'GET /logout/success',
  // The provider asks for the token itself: openid-client and others are its clients, and `openid` the scope.
  'GET /authenticate/userinfo',
  'POST /authenticate/userinfo',
]

/** Each of its fields has a right of its own. */
const BY_FIELD = ['POST /graphql']

describe('every route', () => {
  const { app } = createApp({
    lifecycle: new Lifecycle(),
    logger: ERRORS_ONLY,
    platform: () => {
      throw new Error('no request is made')
    },
  })
  // ALL is middleware, or says which other method to use; OPTIONS only tells a browser what it may ask.
  const routes = app.routes.filter(({ method }) => !['ALL', 'OPTIONS'].includes(method))
  // Without what a parameter must look like.
  const operations = [
    ...new Set(
      routes.map(
        ({ method, path }) =>
          `${method} ${path.replace(/\{.*\}/, '').replace(/^\/fonts\/[0-9a-f]+/, '/fonts/:digest')}`,
      ),
    ),
  ]

  it.each(operations.filter((operation) => !PUBLIC.includes(operation)))('%s has a right', (operation) => {
    expect([...REST_RIGHTS.map(([operation]) => operation), ...BY_FIELD]).toContain(operation)
  })

  it.each([...REST_RIGHTS.map(([operation]) => operation), ...BY_FIELD])(
    '%s is there, and for nobody without a token',
    async (operation) => {
      expect(operations).toContain(operation)
      expect((await callRoute(operation, null)).status).toBe(401)
    },
  )

  it('that answers every method is middleware, or says which method to use', () => {
    const paths = operations.map((operation) => operation.split(' ')[1])
    const all = app.routes.filter(({ method, path }) => method === 'ALL' && !path.endsWith('*'))
    expect(all.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([])
  })

  it('that needs no token is named here', () => {
    expect(PUBLIC.filter((operation) => !operations.includes(operation))).toEqual([])
  })
})
