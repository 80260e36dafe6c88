import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PUBLIC_ROUTES } from '../../src/server/routes/rest-routes.ts'
import { HOSTS, TOKEN, type Call } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// The descriptions of the API, which everybody may read.

useServer()

const PATHS = PUBLIC_ROUTES.map(({ operation }) => operation.replace('GET ', ''))

const get = (path: string, call: Call = {}) => server.call({ method: 'GET', path, authorization: null, ...call })

it('are those that editors and generators read', async () => {
  expect(PATHS).toStrictEqual([
    '/rest/v1/import-document.schema.json',
    '/rest/v1/settings.schema.json',
    '/rest/v1/plan.schema.json',
    '/rest/v1/openapi.json',
    '/graphql/schema.graphql',
  ])
  for (const name of ['import-document', 'settings', 'plan']) {
    const schema = readFileSync(`schemas/${name}.schema.json`, 'utf8')
    expect((await get(`/rest/v1/${name}.schema.json`)).json).toStrictEqual(JSON.parse(schema))
  }
  expect((await get('/rest/v1/openapi.json')).json).toHaveProperty('openapi', '3.1.0')
  const { text, headers } = await get('/graphql/schema.graphql')
  expect(text).toBe(readFileSync('generated/schema.graphql', 'utf8'))
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
})

describe.each(PATHS)('%s', (path) => {
  it('needs no token, and looks at none', async () => {
    for (const authorization of [null, 'Bearer wrong', 'Basic eDp5'])
      expect((await get(path, { authorization })).status).toBe(200)
  })

  it('is kept by clients, which ask for it again only after a change', async () => {
    const { headers } = await get(path)
    const { etag = '' } = headers
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/)
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding, origin' })
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await get(path, { headers: { 'if-none-match': known } })
      expect([again.status, again.text]).toStrictEqual([304, ''])
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding, origin' })
      expect(again.headers['content-encoding']).toBeUndefined()
    }
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('has the same weak ETag whether it is compressed or not modified', async () => {
    const plain = { method: 'HEAD', headers: { 'accept-encoding': 'identity' } }
    const etag = (await fetch(server.url + path, plain)).headers.get('etag')
    const answer = await fetch(server.url + path, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect([answer.headers.get('etag'), etag?.slice(0, 3)]).toStrictEqual([etag, 'W/"'])
    expect(answer.headers.get('vary')).toBe('accept-encoding, origin')
    await answer.arrayBuffer()
    const again = await fetch(server.url + path, { headers: { 'if-none-match': etag ?? '' } })
    expect([again.status, again.headers.get('etag')]).toStrictEqual([304, etag])
  })

  it('answers HEAD like GET, without the content', async () => {
    const { etag } = (await get(path)).headers
    const head = await get(path, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag } })
    expect(await get(path, { method: 'HEAD', headers: { 'if-none-match': String(etag) } })).toMatchObject({
      status: 304,
    })
  })
})

it('the OpenAPI document of another domain is another one, with an ETag of its own', async () => {
  const [first, second] = [
    await get('/rest/v1/openapi.json'),
    await get('/rest/v1/openapi.json', { host: HOSTS.second }),
  ]
  expect(first.headers['etag']).not.toBe(second.headers['etag'])
  expect(second.text).toContain(`http://${HOSTS.second}/graphql`)
  const again = await get('/rest/v1/openapi.json', {
    host: HOSTS.second,
    headers: { 'if-none-match': String(first.headers['etag']) },
  })
  expect(again.status).toBe(200)
})

it('a wrong batch is told why in a compressed answer, by the short way of batches too', async () => {
  const answer = await fetch(`${server.url}/rest/v1/data-points/add`, {
    method: 'POST',
    body: JSON.stringify(Array.from({ length: 50 }, () => ({ value: 1 }))),
    headers: { 'accept-encoding': 'gzip', 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
  })
  expect([answer.status, answer.headers.get('content-encoding')]).toStrictEqual([422, 'gzip'])
  expect(await answer.json()).toMatchObject({ errorCount: 50 })
})
