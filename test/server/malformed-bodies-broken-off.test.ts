import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { BATCH_PATHS, server, useMalformedServer } from './malformed-server.ts'
import { HOSTS, TOKEN } from './test-server.ts'

// Requests that no HTTP library would make, and such as end too early.

useMalformedServer()

/** What the server says to these bytes, after which the client is silent, says that it is done, or is gone. */
function raw(request: string, then: 'silent' | 'done' | 'gone' = 'silent'): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const answer = text(socket).catch(() => '')
  if (then === 'done') socket.end(request)
  else socket.write(request, () => then === 'gone' && socket.destroy())
  return answer
}

describe.each(BATCH_PATHS)('POST %s', (path) => {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${HOSTS.first}`,
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    'Connection: close',
    '',
  ].join('\r\n')

  it('that ends in the middle of a body leaves nothing', async () => {
    const body = JSON.stringify([server.site.point('level', 1)])
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n`
    const whole = `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`
    const cuts = [
      `${head}Content-Length: ${body.length + 10}\r\n\r\n${body}`,
      whole.slice(0, -2),
      whole.slice(0, -5),
      whole.slice(0, -20),
      head,
    ]
    for (const cut of cuts) {
      await raw(cut, 'gone')
      expect(await raw(cut, 'done')).toMatch(/^(?:HTTP\/1\.1 400 [^]*)?$/)
    }
    expect(await server.storedRows()).toBe(0)
    expect(await raw(whole)).toMatch(/^HTTP\/1\.1 201 /)
  })

  it.each<[string, string, number?]>([
    ['a chunk of no number', 'Transfer-Encoding: chunked\r\n\r\nxyz\r\n[]\r\n0\r\n\r\n'],
    ['a chunk longer than it says', 'Transfer-Encoding: chunked\r\n\r\n1\r\n[]\r\n0\r\n\r\n'],
    ['a chunk of more bytes than there are', 'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n[]\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n'],
    ['a negative length', 'Content-Length: -1\r\n\r\n[]'],
    ['a length that is none', 'Content-Length: two\r\n\r\n[]'],
    ['a coding of the transfer that nobody knows', 'Transfer-Encoding: gzip\r\n\r\n[]', 501],
    ['a header with half a line break', 'X-A: a\rb\r\nContent-Length: 2\r\n\r\n[]'],
    ['a header with U+0000', 'X-A: a\0b\r\nContent-Length: 2\r\n\r\n[]'],
  ])('with %s is refused', async (_, rest, status = 400) => {
    const answer = await raw(head + rest)
    expect(answer.split(' ', 2)).toStrictEqual(['HTTP/1.1', String(status)])
    expect(answer).toContain('application/problem+json')
    expect(await server.storedRows()).toBe(0)
  })

  it('without a body, without a type', async () => {
    expect(await raw(`${head}\r\n`)).toMatch(/^HTTP\/1\.1 400 [^]*the body is empty/)
    expect(await raw(`${head.replace(/Content-Type.*\r\n/, '')}Content-Length: 2\r\n\r\n[]`)).toMatch(
      /^HTTP\/1\.1 415 /,
    )
  })
})
