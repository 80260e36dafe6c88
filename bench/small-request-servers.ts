import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// node bench/small-request-servers.ts bare|way: the servers that small-request.ts compares with the platform's.

if (process.argv[2] === 'bare') serveBare()
else await serveWay()

/** The least that a server of Node does for a request with a body: it reads the body, and answers 201. */
function serveBare(): void {
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
}

/** The platform's server without the work behind the way of a request: batches are read, and neither checked nor stored. */
async function serveWay(): Promise<void> {
  const { readConfig } = await import('../src/config.ts')
  const { flushCursor } = await import('../src/platform/service-change.ts')
  const { createApp } = await import('../src/server/app.ts')
  const { Metrics } = await import('../src/server/metrics/metrics.ts')
  const { Lifecycle } = await import('../src/server/lifecycle.ts')
  const { addressOf, listen } = await import('../src/server/process/listen.ts')
  const { processLogger } = await import('../src/server/logger.ts')
  const { startPlatform } = await import('../src/server/process/start-platform.ts')
  const config = readConfig(process.env, process.cwd())
  const started = await startPlatform(config)
  const ingest = { add: async () => ({ stored: 1, cursor: flushCursor(1), errors: [], errorCount: 0 }) }
  const datapoints = { ingest, accessVersion: () => null } as unknown as typeof started.datapoints
  const { app, direct } = createApp({
    lifecycle: new Lifecycle('ready'),
    logger: processLogger(() => undefined),
    platform: () => ({ ...started, datapoints }),
    metrics: new Metrics(() => true),
  })
  const server = await listen((request, bindings) => app.fetch(request, bindings), { ...config, direct })
  process.stderr.write(`listening on ${addressOf(server)}\n`)
  process.once('SIGTERM', () => void started.close().then(() => process.exit(0)))
}
