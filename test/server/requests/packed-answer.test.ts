import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { PACKING } from '../../../src/server/requests/content-coding.ts'
import { PackedAnswer } from '../../../src/server/requests/packed-answer.ts'
import {
  ask,
  CODINGS,
  JSON_TYPE,
  open,
  parse,
  requestText,
  serve,
  server,
  UNPACK,
  usePackingServer,
} from './packing-server.ts'

// Compressed answers whose body is known as a whole.

usePackingServer()

const TEXT = JSON.stringify(Array.from({ length: 100 }, (_, index) => ({ index, value: 21.5 })))
/** Too large to be compressed at once. */
const LONG = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index, value: 21.5 })))

const codingFor = async (site: string, cookie = 'Cookie: a=b\r\n') =>
  (await ask({ more: `${cookie}Sec-Fetch-Site: ${site}\r\n` })).headers['content-encoding']

describe('an answer', () => {
  it.each(CODINGS.flatMap((coding) => [TEXT, LONG].map((text) => [coding, text.length, text] as const)))(
    'is compressed by %s with its length, of %i characters',
    async (coding, _, text) => {
      await serve(() => new Response(text, { headers: JSON_TYPE }))
      const { headers, body } = await ask({ accept: coding })
      expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(body.length).toBeLessThan(text.length / 3)
      expect(UNPACK[coding](body).toString()).toBe(text)
    },
  )

  it('is compressed as bytes and as text, and its headers may be in any case', async () => {
    await serve(() => new Response(Buffer.from(TEXT), { headers: { 'Content-Type': 'text/csv; charset=utf-8' } }))
    const { headers, body } = await ask()
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(gunzipSync(body).toString()).toBe(TEXT)
  })

  it.each([
    'application/json',
    'application/graphql-response+json; charset=utf-8',
    'application/problem+json',
    'application/schema+json',
    'application/x-ndjson',
    'text/csv; charset=utf-8; header=present',
    'text/html; charset=utf-8',
    'text/css; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/markdown; charset=utf-8',
    'image/svg+xml',
  ])('of the type %s is compressed', async (type) => {
    await serve(() => new Response(TEXT, { headers: { 'content-type': type } }))
    expect((await ask()).headers['content-encoding']).toBe('gzip')
  })

  it.each([
    ['of another type', 200, { 'content-type': 'font/woff2' }],
    ['without a type', 200, { 'content-type': '' }],
    ['of server-sent events', 200, { 'content-type': 'text/event-stream' }],
    ['that must not be changed', 200, { ...JSON_TYPE, 'cache-control': 'no-store, no-transform' }],
    ['that has a coding', 200, { ...JSON_TYPE, 'content-encoding': 'br' }],
    ['of a part', 206, JSON_TYPE],
  ])('%s stays as it is', async (_, status, headers) => {
    await serve(() => new Response(TEXT, { status, headers }))
    const answer = await ask()
    expect(answer.body.toString()).toBe(TEXT)
    expect(answer.headers['content-encoding']).toBe('content-encoding' in headers ? 'br' : undefined)
    expect(answer.headers['vary']).toBeUndefined()
  })

  it.each([
    ['204', 204, 'GET'],
    ['304', 304, 'GET'],
    ['HEAD', 200, 'HEAD'],
    ['201', 201, 'GET'],
  ])('%s has no coding, because it has no body', async (_, status, method) => {
    await serve(() => new Response(null, { status, headers: JSON_TYPE }))
    const { headers, body } = await ask({ method })
    expect([body.length, headers['content-encoding']]).toStrictEqual([0, undefined])
  })

  it.each([1_023, 1_024])('of %i bytes is compressed from 1 KiB', async (size) => {
    await serve(() => new Response('x'.repeat(size), { headers: JSON_TYPE }))
    expect((await ask()).headers['content-encoding']).toBe(size < 1_024 ? undefined : 'gzip')
  })

  it.each([2_000, 100_000])('of %i bytes that does not become smaller stays as it is', async (size) => {
    const bytes = randomBytes(size)
    await serve(() => new Response(bytes, { headers: JSON_TYPE }))
    const { headers, body } = await ask()
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-length': String(size) })
    expect([headers['content-encoding'], body.equals(bytes)]).toStrictEqual([undefined, true])
  })

  it('keeps its ETag and other reasons to vary', async () => {
    await serve(() => new Response(TEXT, { headers: { ...JSON_TYPE, etag: 'W/"a"', vary: 'origin' } }))
    expect((await ask()).headers).toMatchObject({ etag: 'W/"a"', vary: 'origin, accept-encoding' })
  })

  it('has the same Vary and ETag for HEAD as for GET', async () => {
    const headers = { ...JSON_TYPE, etag: 'W/"a"', 'content-length': String(TEXT.length) }
    await serve(({ method }) => new Response(method === 'HEAD' ? null : TEXT, { headers }))
    const [get, head] = [await ask(), await ask({ method: 'HEAD' })]
    expect(get.headers).toMatchObject({ vary: 'accept-encoding', etag: 'W/"a"' })
    expect(head.headers).toMatchObject({ vary: 'accept-encoding', etag: 'W/"a"' })
    expect(head.headers['content-length']).toBeUndefined()
    expect((await ask({ method: 'HEAD', accept: 'identity' })).headers).toMatchObject({
      vary: 'accept-encoding',
      etag: 'W/"a"',
      'content-length': String(TEXT.length),
    })
  })

  it('is not compressed if another site led the browser here with cookies', async () => {
    await serve(() => new Response(TEXT, { headers: { 'content-type': 'text/html' } }))
    expect(await codingFor('cross-site')).toBeUndefined()
    expect(await codingFor('same-site')).toBeUndefined()
    expect(await codingFor('same-origin')).toBe('gzip')
    expect(await codingFor('none')).toBe('gzip')
    expect(await codingFor('cross-site', '')).toBe('gzip')
  })

  it('is not compressed if the server leaves that to a proxy', async () => {
    await serve(() => new Response(TEXT, { headers: JSON_TYPE }), false)
    expect((await ask()).body.toString()).toBe(TEXT)
  })

  it('reaches a client of HTTP/1.0, which may keep its connection', async () => {
    await serve(() => new Response(LONG, { headers: JSON_TYPE }))
    const socket = await open()
    socket.write(requestText({ version: '1.0', more: 'Connection: keep-alive\r\n' }))
    socket.write(requestText({ version: '1.0' }))
    const bytes = await buffer(socket)
    const first = parse(bytes)
    expect(first.headers).toMatchObject({ connection: 'keep-alive', 'content-encoding': 'gzip' })
    const size = Number(first.headers['content-length'])
    expect(gunzipSync(first.body.subarray(0, size)).toString()).toBe(LONG)
    expect(gunzipSync(parse(first.body.subarray(size)).body).toString()).toBe(LONG)
  })

  it('keeps its place before the answers to later requests of the same packet', async () => {
    const bodies = [LONG, 'short']
    await serve(() => new Response(bodies.shift() ?? '', { headers: JSON_TYPE }))
    const socket = await open()
    socket.write(`${requestText({})}${requestText({ more: 'Connection: close\r\n' })}`)
    const first = parse(await buffer(socket))
    const size = Number(first.headers['content-length'])
    expect(gunzipSync(first.body.subarray(0, size)).toString()).toBe(LONG)
    expect(parse(first.body.subarray(size)).body.toString()).toBe('short')
  })

  it('goes out plain if two others are compressed at the same time', async () => {
    const [all, asked] = [Promise.withResolvers<void>(), { count: 0 }]
    await serve(async () => {
      if ((asked.count += 1) === 4) all.resolve()
      await all.promise
      return new Response(LONG, { headers: JSON_TYPE })
    })
    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    const codings = answers.map(({ headers }) => headers['content-encoding'] ?? 'none').sort()
    expect(codings).toStrictEqual(['gzip', 'gzip', 'none', 'none'])
    const plain = answers.find(({ headers }) => headers['content-encoding'] === undefined)
    expect([plain?.body.toString() === LONG, plain?.headers['vary']]).toStrictEqual([true, 'accept-encoding'])
    expect((await ask()).headers['content-encoding']).toBe('gzip')
  })

  it('is not compressed for a client that has left', async () => {
    const packing = vi.spyOn(PACKING.gzip, 'whole')
    const asked = Promise.withResolvers<ServerResponse>()
    const plain = createServer({ ServerResponse: PackedAnswer }, (_, response) => asked.resolve(response)).listen(0)
    const socket = connect((plain.address() as AddressInfo).port, '127.0.0.1')
    socket.write(requestText({}))
    const response = await asked.promise
    const closed = once(response, 'close')
    socket.destroy()
    await closed
    response.writeHead(200, JSON_TYPE).end(LONG)
    expect(packing).not.toHaveBeenCalled()
    packing.mockRestore()
    plain.close()
  })

  it('is dropped if the client leaves while it is compressed', async () => {
    const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await serve(async () => {
      asked.resolve()
      await made.promise
      return new Response(LONG, { headers: JSON_TYPE })
    })
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const socket = await open()
    const [served] = await accepted
    socket.write(requestText({}))
    await asked.promise
    made.resolve()
    socket.destroy()
    await once(served, 'close')
    // Its place is free again, so both answers are compressed.
    for (const { headers } of await Promise.all([ask(), ask()])) expect(headers['content-encoding']).toBe('gzip')
  })
})
