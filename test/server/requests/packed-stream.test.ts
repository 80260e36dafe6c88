import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { describe, expect, it } from 'vitest'
import {
  ask,
  CODINGS,
  open,
  parse,
  requestText,
  serve,
  server,
  UNPACK,
  UNPACK_PARTLY,
  usePackingServer,
} from './packing-server.ts'

// Compressed answers that are made while they are sent.

usePackingServer()

/** A stream that yields a line for each call of `next`, and counts what it was asked for. */
function lines() {
  const asked: { resolve: (line: string | null) => void }[] = []
  let [pulls, isLeft] = [0, false]
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pulls += 1
        const { promise, resolve } = Promise.withResolvers<string | null>()
        asked.push({ resolve })
        const line = await promise
        if (line === null) controller.close()
        else controller.enqueue(Buffer.from(line))
      },
      cancel() {
        isLeft = true
      },
    },
    { highWaterMark: 0 },
  )
  const next = async (line: string | null): Promise<void> => {
    await expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(0)
    asked.shift()?.resolve(line)
  }
  return { stream, next, pulls: () => pulls, isLeft: () => isLeft }
}

const CSV_TYPE = { 'content-type': 'text/csv' }

function responseOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Response {
  const stream = NodeStream.from(pieces)
  return new Response(stream as ConstructorParameters<typeof Response>[0], { headers: CSV_TYPE })
}

describe('a stream', () => {
  it.each(CODINGS)('shows each line by %s as soon as it is written', async (coding) => {
    const { stream, next } = lines()
    await serve(() => new Response(stream, { headers: CSV_TYPE }))
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(requestText({ accept: coding, more: 'Connection: close\r\n' }))
    let received = Buffer.alloc(0)
    socket.on('data', (piece: Buffer) => (received = Buffer.concat([received, piece])))
    const shown = (): string => {
      const { body } = parse(received)
      return body.length === 0 ? '' : UNPACK_PARTLY[coding](body).toString()
    }
    await next('first\r\n')
    await expect.poll(shown).toBe('first\r\n')
    expect(parse(received).headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' })
    await next('second\r\n')
    await expect.poll(shown).toBe('first\r\nsecond\r\n')
    await next(null)
    await once(socket, 'close')
    expect(UNPACK[coding](parse(received).body).toString()).toBe('first\r\nsecond\r\n')
  })

  it.each(CODINGS)('comes whole by %s, also to a client of HTTP/1.0', async (coding) => {
    const parts = Array.from({ length: 20 }, (_, index) => `${index},${'21.5,'.repeat(5_000)}\r\n`)
    await serve(() => responseOf(parts.map((part) => Buffer.from(part))))
    for (const version of ['1.0', '1.1']) {
      const { headers, body } = await ask({ accept: coding, version })
      expect([headers['content-encoding'], headers['content-length']]).toStrictEqual([coding, undefined])
      expect(UNPACK[coding](body).toString()).toBe(parts.join(''))
    }
  })

  it('waits for a slow reader, even if it compresses well', async () => {
    let pieces = 0
    const part = Buffer.from('21.5,21.5,22.0\r\n'.repeat(16_384))
    const many = (async function* () {
      for (; pieces < 20_000; pieces += 1) yield Buffer.concat([part, randomBytes(2_048)])
    })()
    await serve(() => responseOf(many))
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const socket = (await open()).pause()
    const [served] = await accepted
    socket.write(requestText({ accept: 'zstd' }))
    let before = -1
    // The server stops when the buffers of both sockets are full.
    const stops = (): boolean => {
      const isStill = pieces === before
      before = pieces
      return isStill && served.writableLength > 0
    }
    await expect.poll(stops, { interval: 200 }).toBe(true)
    expect(pieces).toBeLessThan(10_000)
    expect(served.writableLength).toBeLessThan(200_000)
    socket.destroy()
  })

  it('goes out plain beside 32 others, and is compressed again after one of them ends', async () => {
    const waiting: ReturnType<typeof lines>[] = []
    await serve(() => {
      const one = lines()
      waiting.push(one)
      return new Response(one.stream, { headers: CSV_TYPE })
    })
    const begin = async () => {
      const socket = await open()
      socket.write(requestText({ more: 'Connection: close\r\n' }))
      await expect.poll(() => waiting.length).toBeGreaterThan(sockets.length)
      await waiting.at(-1)?.next('first\r\n')
      const [piece] = (await once(socket, 'data')) as [Buffer]
      sockets.push(socket)
      return parse(piece).headers['content-encoding']
    }
    const sockets: Socket[] = []
    for (let count = 0; count < 32; count++) expect(await begin()).toBe('gzip')
    expect(await begin()).toBeUndefined()
    sockets[0]?.destroy()
    await expect.poll(() => waiting[0]?.isLeft()).toBe(true)
    await expect.poll(begin).toBe('gzip')
    for (const socket of sockets) socket.destroy()
  })

  it('ends when its reader leaves', async () => {
    const { stream, next, isLeft } = lines()
    await serve(() => new Response(stream, { headers: CSV_TYPE }))
    const socket = await open()
    socket.write(requestText({}))
    await next('first\r\n')
    await once(socket, 'data')
    socket.destroy()
    await expect.poll(isLeft).toBe(true)
  })
})
