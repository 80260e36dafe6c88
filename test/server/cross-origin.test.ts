import { Hono } from 'hono'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { crossOrigin, EXPOSED_HEADERS } from '../../src/server/middleware/cross-origin.ts'
import type { AppEnv } from '../../src/server/app-env.ts'
import { PUBLIC_ROUTES, REST_ROUTES } from '../../src/server/routes/rest-routes.ts'
import { openApiDocument } from '../../src/server/routes/openapi-document.ts'
import { DEFAULT_LIMITS } from '../../src/server/requests/limits.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { PATIENCE } from '../support/patience.ts'
import { HOSTS, TOKEN, type Call } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// Pages of other origins that call the API (CORS).

const APP = 'https://app.example.com'
const QUERY = JSON.stringify({ query: '{ currentDomain { name } }' })

const preflight = (origin: string, path = '/graphql', host: string = HOSTS.first) =>
  server.call({
    method: 'OPTIONS',
    path,
    host,
    authorization: null,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-version',
    },
  })

const ask = (origin: string, call: Call = {}) =>
  server.call({ body: QUERY, ...call, headers: { origin, ...call.headers } })

const allow = (origins: readonly string[], host?: string) =>
  server.data('mutation ($o: [String!]) { updateDomain(allowedOrigins: $o) { allowedOrigins } }', { o: origins }, host)

/** The origin that may read an answer. */
const reader = async (answer: Promise<{ headers: { readonly [name: string]: unknown } }>) =>
  (await answer).headers['access-control-allow-origin']

/** Waits until the server knows the changed setting. */
const untilReader = (origin: string, expected: string | undefined) =>
  vi.waitUntil(async () => (await reader(ask(origin))) === expected, PATIENCE)

describe.each(SAMPLED_DATABASES)('the API on $name', (kind) => {
  useServer({ kind })

  it('may be called by no page of another origin before a domain allows it', async () => {
    expect((await preflight(APP)).status).toBe(401)
    const { status, headers } = await ask(APP)
    expect([status, headers['vary']]).toStrictEqual([200, 'origin'])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([])
  })

  it.each([
    ['with an Origin', { origin: APP }],
    ['without an Origin', {}],
  ])('answers requests of GET %s with one Vary by the origin', async (_, headers) => {
    const vary = async (path: string) => (await server.call({ method: 'GET', path, headers })).headers['vary']
    expect(await vary('/rest/v1/openapi.json')).toBe('accept-encoding, origin')
    expect(await vary('/rest/v1/data-points')).toBe('origin')
  })

  describe('with an allowed origin', () => {
    beforeAll(async () => {
      await allow([APP, 'http://localhost:5173'])
      await untilReader(APP, APP)
    })

    it.each(['/graphql', '/rest/v1/data-points', '/rest/v1/data-points/add', '/rest/v1/openapi.json'])(
      'answers a preflight request for %s without a token',
      async (path) => {
        const { status, headers, text } = await preflight(APP, path)
        expect([status, text]).toStrictEqual([204, ''])
        expect(headers).toMatchObject({
          'access-control-allow-origin': APP,
          'access-control-allow-methods': 'GET, HEAD, POST',
          'access-control-allow-headers': 'authorization,content-type,x-version',
          'access-control-max-age': '600',
          vary: 'origin, access-control-request-headers',
        })
        expect(headers['access-control-allow-credentials']).toBeUndefined()
      },
    )

    it('lets its pages read answers, errors and their headers, but never with cookies', async () => {
      const batch = { path: '/rest/v1/data-points/add', body: '[{}]' }
      const calls = [ask(APP), ask(APP, { authorization: null }), ask(APP, batch), ask(APP, { path: '/rest/none' })]
      expect((await Promise.all(calls)).map(({ status }) => status)).toStrictEqual([200, 401, 422, 404])
      for (const call of calls) {
        const { headers } = await call
        expect(headers['access-control-allow-origin']).toBe(APP)
        expect(headers['access-control-expose-headers']).toContain('x-trace-id')
        expect(headers['access-control-allow-credentials']).toBeUndefined()
        expect(headers['vary']).toContain('origin')
      }
    })

    it('lets its pages follow changes', async () => {
      const headers = {
        origin: APP,
        accept: 'text/event-stream',
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
      }
      const body = JSON.stringify({ query: 'subscription { applies { cursor } }' })
      const leaving = new AbortController()
      const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body, signal: leaving.signal })
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
      expect(answer.headers.get('content-encoding')).toBeNull()
      leaving.abort()
    })

    it.each([
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://app.example.com/',
      'https://APP.example.com',
      'https://other.app.example.com',
      'https://example.com',
      'http://localhost',
      'null',
      '*',
    ])('is closed to %s', async (origin) => {
      expect((await preflight(origin)).status).toBe(401)
      expect(await reader(ask(origin))).toBeUndefined()
    })

    it('does not open another domain', async () => {
      expect((await preflight(APP, '/graphql', HOSTS.second)).status).toBe(401)
      expect(await reader(ask(APP, { host: HOSTS.second }))).toBeUndefined()
    })

    it('needs a token for everything but a preflight request', async () => {
      const plain = await server.call({ method: 'OPTIONS', authorization: null, headers: { origin: APP } })
      expect(plain.status).toBe(401)
    })

    it('keeps its other settings, and is closed again by an empty list', async () => {
      await server.data('mutation { updateDomain(requiresPkce: true) { uuid } }')
      expect(await server.data('{ currentDomain { allowedOrigins requiresPkce } }')).toMatchObject({
        currentDomain: { allowedOrigins: [APP, 'http://localhost:5173'], requiresPkce: true },
      })
      expect(await allow([])).toStrictEqual({ updateDomain: { allowedOrigins: [] } })
      await untilReader(APP, undefined)
      expect((await preflight(APP)).status).toBe(401)
    })
  })

  it.each([
    ['*', /number 1 has a wildcard, which matches nothing/],
    ['https://*.example.com', /has a wildcard/],
    ['https://app.example.com/', /write https:\/\/app.example.com$/],
    ['https://app.example.com:443', /write https:\/\/app.example.com$/],
    ['https://App.example.com', /write https:\/\/app.example.com$/],
    ['https://bücher.example', /write https:\/\/xn--bcher-kva.example$/],
    ['https://me@app.example.com', /write https:\/\/app.example.com$/],
    ['app.example.com', /is not the origin of a web page/],
    ['null', /is not the origin of a web page/],
    ['com.example.app://x', /is not the origin of a web page/],
    ['', /is not the origin of a web page/],
  ])('does not take the origin %j', async (origin, message) => {
    const query = 'mutation ($o: [String!]) { updateDomain(allowedOrigins: $o) { uuid } }'
    const { errors } = await server.graphql(query, { o: [origin] })
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message) as string, extensions: { code: 'BAD_USER_INPUT' } },
    ])
  })

  it('takes at most a hundred origins', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `https://app${index}.example`)
    const query = 'mutation ($o: [String!]) { updateDomain(allowedOrigins: $o) { uuid } }'
    const { errors } = await server.graphql(query, { o: many })
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }])
  })
})

it('a failed look-up of the allowed origins does not discard a newer one', async () => {
  const lookUps: PromiseWithResolvers<{ allowedOrigins: readonly string[] }>[] = []
  const read = () => {
    const lookUp = Promise.withResolvers<{ allowedOrigins: readonly string[] }>()
    lookUps.push(lookUp)
    return lookUp.promise
  }
  let time = 0
  const app = new Hono<AppEnv>()
  app.use((context, next) => {
    context.set('domain', { id: 1 } as never)
    return next()
  })
  app.use(
    crossOrigin(
      () => ({ database: { read } }) as never,
      () => time,
    ),
  )
  app.onError((error, context) => context.text(error.message, 500))
  const request = () => app.request('/', { headers: { origin: APP } })
  const older = request()
  time = 2_000
  const newer = request()
  lookUps[0]?.reject(new Error('down'))
  expect((await older).status).toBe(500)
  lookUps[1]?.resolve({ allowedOrigins: [APP] })
  expect((await newer).headers.get('access-control-allow-origin')).toBe(APP)
  void request()
  expect(lookUps).toHaveLength(2)
})

it('pages may read every header that OpenAPI describes', () => {
  const routes = [...REST_ROUTES, ...PUBLIC_ROUTES]
  const document = openApiDocument(routes, { issuer: 'http://first.example', limits: DEFAULT_LIMITS })
  const described = new Set<string>()
  JSON.stringify(document, (name, value: object | null) => {
    if (name === 'headers' && value !== null)
      for (const header of Object.keys(value)) described.add(header.toLowerCase())
    return value
  })
  const named = [...described].filter((name) => name.includes('-') || name === 'etag')
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !EXPOSED_HEADERS.includes(name))).toStrictEqual(['strict-transport-security'])
})
