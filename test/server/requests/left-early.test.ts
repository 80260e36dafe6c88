import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { collectBody } from '../../../src/server/requests/read-body.ts'

it.each(['whole', 'wh'])('reading the body %j fails when the client has left before', async (body) => {
  const server = createServer()
  await once(server.listen(0), 'listening')
  const client = connect((server.address() as AddressInfo).port)
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n${body}`)
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  incoming.on('error', () => undefined)
  client.destroy()
  await new Promise((resolve) => incoming.once('close', resolve))
  await expect(collectBody(incoming, { bytes: 100, what: 'a body' })).rejects.toThrow('the connection broke')
  server.close()
})
