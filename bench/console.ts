import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres-server.ts'
import { startCountedServer, signedIn } from './console-server.ts'
import { measureFrames } from './console-frames.ts'
import { measurePages } from './console-pages.ts'
import { consoleReport } from './console-report.ts'
import { fillPlatform, type Sizes } from './console-site.ts'
import { postgresStores } from './platform.ts'

// npm run bench:console. What each page of the console costs where there is much, and whether charts keep up with the hand
// that moves them. `--quick` has a tenth of everything. Linux only: it asks /proc about the database.

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const part = values.quick ? 10 : 1
const sizes: Sizes = { records: 100_000 / part, systems: 100_000 / part, series: 1_000_000 / part }

const postgres = await startPostgres({ durable: true })
try {
  const store = await postgresStores(postgres, () => 0).create()
  process.stderr.write('filling a platform …\n')
  const house = await fillPlatform(store, sizes)
  const server = await startCountedServer(store)
  const client = await signedIn(server.url, store)
  const pages = await measurePages({ server, client, house, database: postgres.pid })
  const frames = await measureFrames(server.url, store, house)
  const report = consoleReport({ sizes, pages, frames }, new Date().toISOString().slice(0, 10))
  process.stdout.write(report)
  writeFileSync(new URL('./console.md', import.meta.url), report)
  await server.stop()
  await store.remove()
} finally {
  await postgres.stop()
}
