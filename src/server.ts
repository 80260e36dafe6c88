import type { Environment } from './config.ts'
import { startServer } from './server/process/serve.ts'

/** Twice the time that requests are given to finish. */
const LONGEST_STOP_MS = 20_000

/**
 * Runs the platform until the process gets SIGTERM or SIGINT. The first signal finishes the requests that have begun,
 * and a second one ends the process at once.
 */
export async function serve(env: Environment = process.env, longestStopMs = LONGEST_STOP_MS): Promise<void> {
  const { processLogger } = await import('./server/process/process-logger.ts')
  const logger = processLogger()
  const asked = firstSignal()
  const server = await startServer({ env, cwd: process.cwd(), logger, tell })
  await asked
  tell('Holdfast is finishing the requests that have begun; a second signal ends it at once')
  endAfter(longestStopMs)
  await server.stop()
}

/**
 * Limits the time to stop, because a database that does not answer would block it for ever. Acknowledged writes are
 * stored in any case.
 */
function endAfter(ms: number): void {
  setTimeout(giveUp, ms).unref()
}

function giveUp(): never {
  tell('Holdfast could not finish in time, and ends: the database may not answer')
  process.exit(1)
}

/** Writes to the terminal's stderr, because standard output is for the log. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isFirst = true
    const receive = (): void => {
      if (!isFirst) process.exit(1)
      isFirst = false
      resolve()
    }
    process.on('SIGTERM', receive)
    process.on('SIGINT', receive)
  })
}
