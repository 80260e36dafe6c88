import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { expectHeadersOfEveryAnswer, HOSTS, TOKEN, type Call } from './test-server.ts'
import { server, useServer } from './one-server.ts'

const LIMIT = 1_048_576
const QUERY = JSON.stringify({ query: '{ currentDomain { name } }' })

useServer({ importDocumentBytes: LIMIT })

/** Where the address of a request can be read at all. */
const isForGraphql = ({ path = '/graphql', host = '' }: { readonly path?: string; readonly host?: string }) =>
  path.split('?')[0] === '/graphql' && !host.includes(' ')

/** As clients of GraphQL look for it. */
function errorOf(code: string, message: RegExp, traceId: unknown): object {
  return { message: expect.stringMatching(message) as string, extensions: { code, traceId } }
}

/** As a program does that writes its requests by hand, and reads until the server ends the connection. */
function sendLines(...lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return readText(socket)
}

const toFirst = `Host: ${HOSTS.first}`

/** A batch of datapoints by hand, as it is answered without the routes, and by them. */
function batch(version: string, ...lines: readonly string[]): string[][] {
  const common = [`Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json', ...lines]
  return ['/rest/v1/data-points/add', '/rest/v1/data-points/add?'].map((path) => [
    `POST ${path} HTTP/${version}`,
    ...common,
  ])
}

describe('a request that is refused before it is carried out', () => {
  const big = JSON.stringify({ query: '{ currentDomain { name } }', variables: { document: 'x'.repeat(LIMIT) } })
  const chunked = { 'transfer-encoding': 'chunked' }
  const METADATA = `resource_metadata="http://${HOSTS.first}/.well-known/oauth-protected-resource/graphql"`

  it.each<
    [what: string, call: Call, status: number, code: string, detail: RegExp, headers?: { [name: string]: unknown }]
  >([
    [
      'without a token',
      { authorization: null },
      401,
      'UNAUTHENTICATED',
      /needs a bearer token/,
      { 'www-authenticate': `Bearer realm="holdfast", ${METADATA}` },
    ],
    [
      'with a wrong token',
      { authorization: 'Bearer wrong' },
      401,
      'UNAUTHENTICATED',
      /is invalid/,
      { 'www-authenticate': `Bearer realm="holdfast", error="invalid_token", ${METADATA}` },
    ],
    ['with another scheme', { authorization: `Basic ${TOKEN}` }, 401, 'UNAUTHENTICATED', /another scheme than/],
    [
      'with the token in the query',
      { authorization: null, path: `/graphql?access_token=${TOKEN}` },
      401,
      'UNAUTHENTICATED',
      /Authorization header/,
    ],
    ['by GET without a token', { method: 'GET', authorization: null }, 401, 'UNAUTHENTICATED', /bearer/],
    [
      'by GET',
      { method: 'GET', path: '/graphql?query={currentDomain{name}}' },
      405,
      'BAD_USER_INPUT',
      /GET is not possible here/,
      { allow: 'POST' },
    ],
    [
      'to write to a description',
      { path: '/rest/v1/import-document.schema.json' },
      405,
      'BAD_USER_INPUT',
      /use GET/,
      { allow: 'GET, HEAD' },
    ],
    ['to write to a health check', { path: '/healthz' }, 405, 'BAD_USER_INPUT', /use GET/],
    ['for an unknown host', { host: 'other.example' }, 421, 'NOT_FOUND', /no domain/],
    ['for a host that is none', { host: 'a b' }, 400, 'BAD_USER_INPUT', /request/],
    [
      'for an unknown host, forwarded from a known one',
      { host: 'other.example', headers: { 'x-forwarded-host': HOSTS.first } },
      421,
      'NOT_FOUND',
      /no domain/,
    ],
    ['for a path that does not exist', { method: 'GET', path: '/nothing' }, 404, 'NOT_FOUND', /nothing at this path/],
    [
      'for a path with a / too much',
      { path: '/graphql/' },
      404,
      'NOT_FOUND',
      /nothing at this path; leave out the \/ at its end$/,
    ],
    [
      'for a REST path that does not exist',
      { method: 'GET', path: '/rest/v1/nothing' },
      404,
      'NOT_FOUND',
      /nothing at this path/,
    ],
    [
      'for one without a token',
      { method: 'GET', path: '/rest/v1/nothing', authorization: null },
      401,
      'UNAUTHENTICATED',
      /bearer/,
    ],
    [
      'with a form',
      { body: QUERY, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'BAD_USER_INPUT',
      /application\/json/,
      { 'accept-post': 'application/json' },
    ],
    [
      'with plain text',
      { body: QUERY, headers: { 'content-type': 'text/plain' } },
      415,
      'BAD_USER_INPUT',
      /application\/json/,
    ],
    [
      'in another charset',
      { body: QUERY, headers: { 'content-type': 'application/json; charset=latin1' } },
      415,
      'BAD_USER_INPUT',
      /UTF-8/,
    ],
    [
      'compressed',
      { body: QUERY, headers: { 'content-encoding': 'gzip' } },
      415,
      'BAD_USER_INPUT',
      /compressed/,
      { 'accept-encoding': 'identity' },
    ],
    ['that is too large', { body: big }, 413, 'LIMIT_EXCEEDED', /import document may have at most 1 MiB/],
    ['that turns out to be too large', { body: big, headers: chunked }, 413, 'LIMIT_EXCEEDED', /at most 1 MiB/],
    [
      'that accepts only HTML',
      { body: QUERY, headers: { accept: 'text/html' } },
      406,
      'BAD_USER_INPUT',
      /application\/json/,
    ],
  ])('%s', async (_, call, status, code, detail, headers = {}) => {
    const answer = await server.call({ body: call.method === 'GET' ? '' : QUERY, ...call })
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.json).toStrictEqual({
      type: `/errors#${code}`,
      title: expect.any(String) as string,
      status,
      detail: expect.stringMatching(detail) as string,
      code,
      traceId: answer.headers['x-trace-id'],
      ...(isForGraphql(call) && { errors: [errorOf(code, detail, answer.headers['x-trace-id'])] }),
    })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(headers)
    expectHeadersOfEveryAnswer(answer)
  })

  it.each([
    ['that is no HTTP at all', 'HELLO', /could read$/],
    ['by HTTP/1.1 without a Host', 'GET /healthz HTTP/1.1', /it has no Host header$/],
    ['by HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0', /it has no Host header$/],
  ])('%s', async (_what, line, detail) => {
    const [head = '', body = ''] = (await sendLines(line, 'Connection: close')).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
    const traceId = /x-trace-id: (\w+)/.exec(head)?.[1]
    expect(JSON.parse(body)).toMatchObject({ status: 400, traceId, detail: expect.stringMatching(detail) as string })
  })

  it.each([
    ['with two hosts', batch('1.1', toFirst, `Host: ${HOSTS.second}`, 'Content-Length: 0'), 400, /more than one Host/],
    [
      'in a coding that nobody undoes',
      batch('1.1', toFirst, 'Transfer-Encoding: gzip, chunked', '', '0'),
      501,
      /send it in chunks/,
    ],
    [
      'in chunks by the old HTTP',
      batch('1.0', toFirst, 'Transfer-Encoding: chunked', '', '0'),
      400,
      /no Transfer-Encoding/,
    ],
  ])('%s, with and without the routes', async (_what, both, status, detail) => {
    for (const lines of both) {
      const [head = '', body = ''] = (await sendLines(...lines)).split('\r\n\r\n')
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(head).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
      expect(JSON.parse(body)).toMatchObject({ status, detail: expect.stringMatching(detail) as string })
    }
  })

  it('by the old HTTP, which cannot be asked for its body, with and without the routes', async () => {
    for (const lines of batch('1.0', toFirst, 'Expect: 100-continue', 'Content-Length: 6', '', '{}'))
      expect(await sendLines(...lines)).toMatch(/^HTTP\/1\.1 400 [^]*array/)
  })

  it.each(['constructor', '__proto__', 'toString'])('in the coding %s, which every object has', async (coding) => {
    for (const path of ['data-points/add', 'data-points/add?', 'set-points/add', 'set-points/acknowledge', 'import']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      expect([path, (await server.call({ path: `/rest/v1/${path}`, body: '[]', headers })).status]).toStrictEqual([
        path,
        415,
      ])
    }
  })

  it.each([
    ['an expectation that nobody knows', 'GET /healthz HTTP/1.1', `Host: ${HOSTS.first}`, 'Expect: more'],
    ['the old HTTP', 'GET /healthz HTTP/1.0', `Host: ${HOSTS.first}`],
  ])('but not for %s', async (_what, ...lines) => {
    const answer = await sendLines(...lines, 'Connection: close')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
  })
})

describe('an answer', () => {
  it('has the trace-id of the client', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const { headers } = await server.call({
      body: QUERY,
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    })
    expect(headers['x-trace-id']).toBe(traceId)
  })

  it.each([
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['HEAD', '/readyz'],
    ['POST', '/graphql'],
  ])('to %s %s has the headers of every answer', async (method, path) => {
    const answer = await server.call({ method, path, ...(method === 'POST' && { body: QUERY }) })
    expect(answer.status).toBe(200)
    expectHeadersOfEveryAnswer(answer)
    expect(answer.headers['content-security-policy']).toBe(`default-src 'none'; frame-ancestors 'none'`)
  })

  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
  ])('to Accept %s is %s', async (accept, type) => {
    const { headers } = await server.call({ body: QUERY, ...(accept !== undefined && { headers: { accept } }) })
    expect(headers['content-type']).toBe(type)
  })

  it.each(['FIRST.example', 'first.example:8080', 'first.example.', 'First.Example.:80'])(
    'is about the domain of Host %s',
    async (host) => {
      const { json } = await server.call({ body: QUERY, host })
      expect(json).toStrictEqual({ data: { currentDomain: { name: 'The first' } } })
    },
  )

  it('describes the import document', async () => {
    const { json, headers } = await server.call({ method: 'GET', path: '/rest/v1/import-document.schema.json' })
    expect(headers['content-type']).toBe('application/schema+json')
    expect(json).toMatchObject({ title: 'ImportDocument', $schema: 'https://json-schema.org/draft/2020-12/schema' })
  })
})
