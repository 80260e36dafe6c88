import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { HOSTS, TOKEN } from './test-server.ts'
import { server, useServer } from './one-server.ts'

// A client that sends more than is taken, and reads nothing until it has sent all of it, as simple ones do.

const LIMIT = 1_048_576
const PIECE = ' '.repeat(65_536)

useServer({ batchBytes: LIMIT })

function sender(headers: readonly string[], token = TOKEN, path = '/rest/v1/data-points/add') {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const answer = text(socket)
  const write = (bytes: string | Uint8Array) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${HOSTS.first}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
  ]
  void write(`${head.join('\r\n')}\r\n\r\n`)
  return { socket, write, answer }
}

describe.each([
  { name: 'that says its length', headers: [`Content-Length: ${PIECE.length * 40}`], framed: (piece: string) => piece },
  {
    name: 'in chunks',
    headers: ['Transfer-Encoding: chunked'],
    framed: (piece: string) => `${piece.length.toString(16)}\r\n${piece}\r\n`,
  },
])('a body that is too large, $name', ({ headers, framed }) => {
  it('is heard out, and then answered', async () => {
    const { socket, write, answer } = sender(headers)
    for (let sent = 0; sent < 39; sent++) await write(framed(PIECE))
    // Time for an answer that comes too early, and for the connection to be closed after it.
    for (let asked = 0; asked < 20; asked++) await server.call({ method: 'GET', path: '/healthz' })
    expect(socket.bytesRead).toBe(0)
    await write(framed(PIECE) + (headers[0]?.startsWith('T') === true ? '0\r\n\r\n' : ''))
    const heard = await answer
    expect(heard).toMatch(/^HTTP\/1\.1 413 /)
    expect(heard).toMatch(/\r\nconnection: close\r\n/i)
    expect(heard).toContain('"code":"LIMIT_EXCEEDED"')
  })
})

describe('a client that asks before it sends', () => {
  const ASKS = 'Expect: 100-continue'

  it('is asked for its body, and answered', async () => {
    const { socket, write, answer } = sender([ASKS, 'Content-Length: 2', 'Connection: close'])
    await once(socket, 'readable')
    await write('[]')
    expect(await answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  })

  it('sends nothing where its token is not good', async () => {
    const { answer } = sender([ASKS, 'Content-Length: 2', 'Connection: close'], 'nobody')
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('sends nothing where it is too much', async () => {
    const { answer } = sender([ASKS, `Content-Length: ${LIMIT + 1}`])
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
  })
})

it('as many bombs at once as come are answered, each of them', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000))
  const answers = Array.from({ length: 8 }, async () => {
    const { write, answer } = sender(['Content-Encoding: gzip', `Content-Length: ${bomb.length}`])
    await write(bomb)
    return (await answer).slice(0, 12)
  })
  expect(await Promise.all(answers)).toStrictEqual(Array.from({ length: 8 }, () => 'HTTP/1.1 413'))
})

it.each(['/rest/v1/data-points/add', '/rest/v1/data-points/add?'])(
  'a sender that is refused at %s, and then sends no body, loses its connection soon',
  async (path) => {
    expect(await sender(['Content-Length: 1000'], 'wrong', path).answer).toMatch(/^HTTP\/1\.1 401 /)
  },
)

it('a sender that is refused is heard out for as long as it sends, and finds its connection as it was', async () => {
  const { socket, write, answer } = sender([`Content-Length: ${PIECE.length * 8}`], 'wrong')
  for (let sent = 0; sent < 8; sent++) {
    await write(PIECE)
    const begun = performance.now()
    while (performance.now() - begun < 150) await server.call({ method: 'GET', path: '/healthz' })
  }
  expect(socket.destroyed).toBe(false)
  await write(`GET /healthz HTTP/1.1\r\nHost: ${HOSTS.first}\r\nConnection: close\r\n\r\n`)
  expect(await answer).toMatch(/^HTTP\/1\.1 401 [^]*HTTP\/1\.1 200 /)
})

// The last one: the server does not come back from it.
it('a sender whose body comes while the server ends is answered, and its connection closed', async () => {
  const { write, answer } = sender(['Content-Length: 2'])
  await server.call({ method: 'GET', path: '/healthz' })
  server.lifecycle.state = 'draining'
  await write('[{')
  const heard = await answer
  expect(heard).toMatch(/^HTTP\/1\.1 400 /)
  expect(heard).toMatch(/\r\nconnection: close\r\n/i)
})
