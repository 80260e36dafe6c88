import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../src/server/process/listen.ts'
import { MOST_AHEAD } from '../../../src/server/requests/in-turn.ts'

// What comes in one packet is answered in its order, also where the end of it is no request.

const GOOD = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

async function made(): Promise<Response> {
  await setImmediate()
  return new Response('made')
}

async function answersTo(sent: string): Promise<string> {
  const server = await listen(made, { host: '127.0.0.1', port: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(sent)
  const answers = await text(socket)
  server.close()
  return answers
}

it('tells of what fails while it listens, and goes on', async () => {
  const failures: string[] = []
  const server = await listen(made, { host: '127.0.0.1', port: 0, failed: ({ message }) => failures.push(message) })
  for (const message of ['accept EMFILE', 'accept ENFILE']) server.emit('error', new Error(message))
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect([await answer.text(), failures]).toStrictEqual(['made', ['accept EMFILE', 'accept ENFILE']])
  server.closeAllConnections()
  server.close()
})

it('refuses a broken body while its request is being answered', async () => {
  const server = await listen(async (request) => new Response(await request.text()), { host: '127.0.0.1', port: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nno number\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  server.close()
})

it.each([0, 1, 3])('answers %d requests before the refusal of what follows them', async (count) => {
  const answers = await answersTo(`${GOOD.repeat(count)}GARBAGE\r\n\r\n`)
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toStrictEqual([...Array.from({ length: count }, () => '200'), '400'])
  expect(answers.match(/made/g) ?? []).toHaveLength(count)
})

it('keeps nothing of what cannot be read while an answer is under way', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', note)
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
  const slow = async (): Promise<Response> => {
    await isDone
    return new Response('made')
  }
  const server = await listen(slow, { host: '127.0.0.1', port: 0 })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const answers = text(socket)
  socket.write(GOOD)
  for (let piece = 0; piece < 50; piece += 1) {
    socket.write('GARBAGE\r\n\r\n')
    for (let turn = 0; turn < 5; turn += 1) await setImmediate()
  }
  finish()
  expect([...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toStrictEqual(['200', '400'])
  process.off('warning', note)
  expect(warnings).toStrictEqual([])
  server.close()
})

const LONG = new Uint8Array(16_777_216)

/** A server that counts the requests with which it has begun, and both ends of a connection to it. */
async function counting(answer: () => Response | Promise<Response>) {
  let begun = 0
  const server = await listen(
    () => {
      begun += 1
      return answer()
    },
    { host: '127.0.0.1', port: 0 },
  )
  onTestFinished(() => void server.close())
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [socket] = await accepted
  return { client, socket, begun: () => begun }
}

it('begins with no request before the answers to those before it were taken', async () => {
  const { client, socket, begun } = await counting(() => new Response(LONG))
  client.write(`${GOOD.repeat(4)}GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
  await expect.poll(() => socket.writableLength).toBeGreaterThan(0)
  expect(begun()).toBe(1)
  let size = 0
  for await (const piece of client) size += (piece as Uint8Array).length
  expect(begun()).toBe(5)
  expect(size).toBeGreaterThan(5 * LONG.length)
})

it('disconnects a client that sends too many requests ahead', async () => {
  const { client, socket, begun } = await counting(() => new Promise(() => undefined))
  client.write(GOOD.repeat(MOST_AHEAD + 1))
  await expect.poll(() => socket.bytesRead).toBe(GOOD.length * (MOST_AHEAD + 1))
  expect(socket.destroyed).toBe(false)
  client.write(GOOD)
  await once(socket, 'close')
  expect(begun()).toBe(1)
  client.destroy()
})
