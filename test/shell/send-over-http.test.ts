import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as listenPlainly, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
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

/** Gives up after some milliseconds, and returns the error of the request or of its answer. */
async function failure(address: URL, limits: { connectMs?: number; idleMs?: number }): Promise<LostAnswerError> {
  const error = await sendOverHttp(address, { signal }, { connectMs: 60_000, idleMs: 60_000, ...limits })
    .then((answer) => answer.text())
    .catch((reason: unknown) => reason)
  return new LostAnswerError('it', error)
}

function lostBy(cause: unknown): LostAnswerError {
  return new LostAnswerError('it', new TypeError('fetch failed', { cause }))
}

const TOO_LONG = { message: expect.stringContaining('it took too long') }

test('gives up a server that accepts connections and does not speak TLS with them', async () => {
  const silent = listenPlainly().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  const accepted = once(silent, 'connection')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const lost = await failure(new URL(`https://127.0.0.1:${port}/`), { connectMs: 50 })
  expect(lost).toMatchObject({ ...TOO_LONG, mayHaveArrived: false })
  await accepted
})

test('gives up a server that does not answer', async () => {
  const address = await listening(() => undefined)
  expect(await failure(address, { idleMs: 50 })).toMatchObject({ ...TOO_LONG, mayHaveArrived: true })
})

test.each([
  ['plain', {}],
  ['compressed', { 'content-encoding': 'gzip' }],
])('gives up a server that stalls in the middle of an answer that is %s', async (_, headers) => {
  const address = await listening((_request, response) => {
    response.writeHead(200, { ...headers, 'content-length': 100_000 }).write(gzipSync('half of it').subarray(0, 20))
  })
  expect(await failure(address, { idleMs: 50 })).toMatchObject({ ...TOO_LONG, mayHaveArrived: true })
})

test('gives up a server that stalls on a connection that answered before', async () => {
  const ports: (number | undefined)[] = []
  const address = await listening(({ socket }, response) => {
    if (ports.push(socket.remotePort) === 1) response.end('first')
  })
  expect(await (await sendOverHttp(address, { signal })).text()).toBe('first')
  expect(await failure(address, { idleMs: 50 })).toMatchObject(TOO_LONG)
  expect(ports).toStrictEqual([ports[0], ports[0]])
})

test('limits only the time to connect, and the time in which nothing comes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const address = await listening((_, response) => {
    vi.advanceTimersByTime(10_000)
    response.end('late')
  })
  expect(await (await sendOverHttp(address, { signal })).text()).toBe('late')
  expect(vi.getTimerCount()).toBe(0)
})

test('an unreachable network, or a certificate that is not trusted, is found before the request is sent', () => {
  const unreachable = Object.assign(new Error('connect'), { code: 'EHOSTUNREACH', syscall: 'connect' })
  const untrusted = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' })
  expect(lostBy(unreachable)).toMatchObject({ mayHaveArrived: false, message: expect.stringContaining('no route') })
  expect(lostBy(new AggregateError([unreachable]))).toMatchObject({ mayHaveArrived: false })
  expect(lostBy(untrusted)).toMatchObject({ mayHaveArrived: false })
  // The kernel reports this about an open connection, too.
  expect(lostBy(Object.assign(new Error('read'), { code: 'EHOSTUNREACH', syscall: 'read' }))).toMatchObject({
    mayHaveArrived: true,
  })
})
