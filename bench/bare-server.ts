import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The least that a server of Node does for a request with a body: it reads the body, and answers 201. A process of its
// own, which small-request.ts starts.

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.once('end', () => {
    const body = Buffer.concat(pieces)
    response.writeHead(body.length > 0 ? 201 : 400, { 'content-length': '0' }).end()
  })
})
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const { port } = server.address() as AddressInfo
  process.stderr.write(`listening on http://127.0.0.1:${port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
