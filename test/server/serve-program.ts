import { flushCompileCache } from 'node:module'
import { serve } from '../../src/serve.ts'

// A server in a process of its own for serve.test.ts: ends with 1 and the message where it cannot start.

// Node writes what it has compiled when a process ends, and many of these are killed.
flushCompileCache()
try {
  await serve(process.env, Number(process.env['LONGEST_STOP_MS'] ?? 20_000))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`)
  process.exitCode = 1
}
