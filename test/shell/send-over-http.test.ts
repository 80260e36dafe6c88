import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { LostAnswerError } from '../../src/client/platform-error.ts'
import { sendOverHttp } from '../../src/shell/send-over-http.ts'

const { signal } = new AbortController()

async function listening(answer: RequestListener): Promise<URL> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

test('sends a body in parts, and reads the answer with its headers', async () => {
  const address = await listening((request, response) => {
    void text(request).then((sent) => response.writeHead(201, { 'x-a': 'b' }).end(`${request.method} ${sent}`))
  })
  const body = ['one ', 'two'].map((part) => Buffer.from(part))
  const answer = await sendOverHttp(address, { method: 'POST', body, signal })
  expect([answer.ok, answer.status, answer.headers.get('x-a'), answer.headers.get('x-b')]).toEqual([
    true,
    201,
    'b',
    null,
  ])
  expect(await answer.text()).toBe('POST one two')
})

test.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
])('decodes an answer that is compressed by %s', async (coding, compress) => {
  const address = await listening((request, response) => {
    const accepted = request.headers['accept-encoding']
    response.writeHead(200, { 'content-encoding': coding }).end(compress(`${accepted} ${'°'.repeat(100_000)}`))
  })
  expect(await (await sendOverHttp(address, { signal })).text()).toBe(`zstd, gzip ${'°'.repeat(100_000)}`)
})

test('does not follow a redirect', async () => {
  const address = await listening((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  const { ok, status, headers } = await sendOverHttp(address, { signal })
  expect([ok, status, headers.get('location')]).toEqual([false, 302, '/elsewhere'])
})

test('reads an answer that comes before the whole body was sent, and sends no more', async () => {
  const closed = Promise.withResolvers<void>()
  const address = await listening(({ socket }, response) => {
    socket.once('close', () => closed.resolve())
    response.writeHead(413).end('too large')
  })
  const body = Array.from({ length: 100 }, () => Buffer.alloc(256 * 1024))
  const answer = await sendOverHttp(address, { method: 'POST', body, signal })
  expect([answer.status, await answer.text()]).toEqual([413, 'too large'])
  await closed.promise
})

test('fails where the connection breaks in the middle of an answer', async () => {
  const half = gzipSync(Buffer.from(Array.from({ length: 100_000 }, (_, index) => index))).subarray(0, 200)
  const address = await listening((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 100_000 }).write(half)
    setImmediate(() => response.destroy())
  })
  const error = await sendOverHttp(address, { signal })
    .then((answer) => answer.text())
    .catch((reason: unknown) => reason)
  expect(new LostAnswerError('it', error)).toMatchObject({
    message: expect.stringContaining('the connection broke'),
    mayHaveArrived: true,
  })
})

test('says that a server does not speak TLS', async () => {
  const { port } = await listening((_, response) => response.end())
  const error = await sendOverHttp(new URL(`https://127.0.0.1:${port}/`), { signal }).catch((reason: unknown) => reason)
  expect(new LostAnswerError('it', error).message).toContain('it does not speak TLS (an http address?)')
})

test('fails where nothing listens, and when the caller gives up', async () => {
  const unused = await sendOverHttp(new URL('http://127.0.0.1:1/'), { signal }).catch((reason: unknown) => reason)
  expect(new LostAnswerError('it', unused)).toMatchObject({
    message: expect.stringContaining('nothing listens there'),
    mayHaveArrived: false,
  })
  const giving = new AbortController()
  const address = await listening(() => giving.abort())
  await expect(sendOverHttp(address, { signal: giving.signal })).rejects.toMatchObject({ name: 'AbortError' })
})
