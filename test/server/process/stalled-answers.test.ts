import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { addressOf, listen } from '../../../src/server/process/listen.ts'

// What becomes of connections on which nothing happens.

let server: Server
afterEach(() => void server.close())

/** Sends a request, and gives both ends of its connection. */
async function ask(answer: () => Response | Promise<Response>): Promise<readonly [Socket, Socket]> {
  server = await listen(answer, { host: '127.0.0.1', port: 0 })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect(Number(new URL(addressOf(server)).port), '127.0.0.1')
  client.pause().write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  const [socket] = await accepted
  return [client, socket]
}

it('a client that takes nothing of a long answer for two minutes is disconnected', async () => {
  const [client, socket] = await ask(() => new Response(new Uint8Array(33_554_432)))
  expect(server.timeout).toBe(120_000)
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  socket.emit('timeout')
  expect(socket.destroyed).toBe(true)
  client.destroy()
})

it('an answer that takes long to make is waited for', async () => {
  const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
  const [client, socket] = await ask(() => {
    asked.resolve()
    return made.promise
  })
  await asked.promise
  socket.emit('timeout')
  made.resolve(new Response('done', { headers: { connection: 'close' } }))
  expect(await text(client)).toContain('done')
})

it('a connection that is kept for the next request ends when that does not come', async () => {
  const [client, socket] = await ask(() => new Response('done'))
  server.keepAliveTimeout = 1
  client.resume()
  await once(socket, 'close')
  expect(socket.destroyed).toBe(true)
})
