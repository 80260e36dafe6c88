import { connect } from 'node:net'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listen } from '../../../src/server/process/listen.ts'

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

it.each([0, 1, 3])('answers %d requests before the refusal of what follows them', async (count) => {
  const answers = await answersTo(`${GOOD.repeat(count)}GARBAGE\r\n\r\n`)
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toStrictEqual([...Array.from({ length: count }, () => '200'), '400'])
  expect(answers.match(/made/g) ?? []).toHaveLength(count)
})
