import { readConfig } from '../src/config.ts'
import type { Datapoints } from '../src/platform/datapoints/datapoints.ts'
import type { IngestResult } from '../src/platform/datapoints/ingest/sent-batch.ts'
import { flushCursor } from '../src/platform/service-change.ts'
import { createApp } from '../src/server/app.ts'
import { Metrics } from '../src/server/metrics/metrics.ts'
import { Lifecycle } from '../src/server/process/lifecycle.ts'
import { addressOf, listen } from '../src/server/process/listen.ts'
import { processLogger } from '../src/server/process/process-logger.ts'
import { startPlatform } from '../src/server/process/start-platform.ts'

// The platform's server without what is behind the way of a request: batches are read, and neither checked nor stored. A
// process of its own, which small-request.ts starts.

const config = readConfig(process.env, process.cwd())
const started = await startPlatform(config)
const stored: IngestResult = { stored: 1, cursor: flushCursor(1), errors: [], errorCount: 0 }
const ingest = { add: () => Promise.resolve(stored) }
const datapoints = { ingest, accessVersion: () => null } as unknown as Datapoints
const platform = { ...started, datapoints }
const lifecycle = new Lifecycle('ready')
const { app, direct } = createApp({
  lifecycle,
  logger: processLogger(() => undefined),
  platform: () => platform,
  metrics: new Metrics(() => true),
})
const server = await listen((request, bindings) => app.fetch(request, bindings), { ...config, direct })
process.stderr.write(`listening on ${addressOf(server)}\n`)
process.once('SIGTERM', () => void started.close().then(() => process.exit(0)))
