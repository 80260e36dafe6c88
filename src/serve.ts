import cluster from 'node:cluster'
import { readConfig, type Config, type Environment } from './config.ts'
import { HoldfastError } from './lib/errors.ts'
import { errorFields } from './server/logger.ts'
import type { ServeOptions } from './server/process/start-server.ts'

/** Twice the time that running requests have to finish. */
const LONGEST_STOP_MS = 20_000

/** Runs the platform until SIGTERM or SIGINT. The first signal finishes begun requests, a second one ends at once. */
export async function serve(env: Environment = process.env, longestStopMs = LONGEST_STOP_MS): Promise<void> {
  if (cluster.isWorker) return serveAsWorker(env, longestStopMs)
  const config = readConfig(env, process.cwd())
  if (config.workers > 1) return serveByWorkers(config, longestStopMs)
  const { processLogger } = await import('./server/logger.ts')
  const asked = askedToStop()
  const server = await startServer({ env, cwd: process.cwd(), logger: processLogger(tell), tell })
  await asked
  tell(FINISHING)
  endAfter(longestStopMs)
  await server.stop()
}

const FINISHING = 'Holdfast is finishing the requests that have begun; a second signal ends it at once'

/**
 * Loads and starts the server. It is most of this program, so it is not loaded if the configuration is rejected or if
 * workers serve. If the server cannot start, the process ends.
 */
async function startServer(options: Omit<ServeOptions, 'addPages'>) {
  try {
    const [{ startServer: start }, { addConsole }] = await Promise.all([
      import('./server/process/start-server.ts'),
      import('./console/console.ts'),
    ])
    return await start({ ...options, addPages: addConsole })
  } catch (error) {
    setTimeout(() => process.exit(1), LONGEST_FAILURE_MS).unref()
    throw error
  }
}
const LONGEST_FAILURE_MS = 5_000

/** Starts the workers, which run this program again. */
async function serveByWorkers(config: Config, longestStopMs: number): Promise<void> {
  const { Workers } = await import('./server/workers/workers.ts')
  const asked = askedToStop()
  const workers = new Workers({ config, tell })
  await workers.start().catch(async (error: unknown) => {
    await workers.stop()
    throw error
  })
  await asked
  tell(FINISHING)
  // Each worker limits its own time and reports it.
  endAfter(longestStopMs + 5_000)
  if (!(await workers.stop())) process.exit(1)
}

/** Runs as one of several workers. It ignores Ctrl-C, because the process that started it tells it to stop. */
async function serveAsWorker(env: Environment, longestStopMs: number): Promise<void> {
  const [{ processLogger }, { WorkerSide }] = await Promise.all([
    import('./server/logger.ts'),
    import('./server/workers/worker.ts'),
  ])
  const worker = new WorkerSide()
  const { place, tell: tellParent, joinMetrics, isBesideOthers } = worker
  process.on('SIGINT', () => undefined)
  const asked = Promise.race([worker.stopped, firstSignal(['SIGTERM'])])
  const logger = processLogger(tellParent, { worker: place })
  try {
    const server = await startServer({
      env,
      cwd: process.cwd(),
      logger,
      tell: tellParent,
      joinMetrics,
      isBesideOthers,
    })
    worker.ready()
    await asked
    endAfter(longestStopMs)
    await server.stop()
  } catch (error) {
    if (!(error instanceof HoldfastError)) logger.error(errorFields(error), 'a worker failed')
    await worker.fail(error)
  }
  // The channel to the process that started this one would keep it alive.
  process.disconnect()
}

/** Limits the time to stop, which a silent database would block for ever. Acknowledged writes are stored already. */
function endAfter(ms: number): void {
  setTimeout(giveUp, ms).unref()
}

function giveUp(): never {
  tell('Holdfast could not finish in time, and ends: the database may not answer')
  process.exit(1)
}

/** Writes to stderr, because standard output is for the log. If writing fails, the server continues. */
function tell(text: string): void {
  if (process.stderr.listenerCount('error', ignore) === 0) process.stderr.on('error', ignore)
  process.stderr.write(`${text}\n`)
}

function ignore(): void {
  // The file behind stderr is on a full disk, or the terminal was closed.
}

/** Resolves with the first signal, or when npm has received it. */
function askedToStop(): Promise<void> {
  const isByNpm = process.env['npm_lifecycle_event'] !== undefined
  return Promise.race([firstSignal(['SIGTERM', 'SIGINT']), ...(isByNpm ? [parentGone()] : [])])
}

/** Resolves when the parent process ends. npm signals only its shell, and some shells (dash) pass nothing on. */
function parentGone(): Promise<void> {
  const parent = process.ppid
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      resolve()
    }, LOOK_FOR_PARENT_MS).unref()
  })
}
const LOOK_FOR_PARENT_MS = 500

function firstSignal(signals: readonly NodeJS.Signals[]): Promise<void> {
  return new Promise((resolve) => {
    let isFirst = true
    const receive = (): void => {
      if (!isFirst) process.exit(1)
      isFirst = false
      resolve()
    }
    for (const signal of signals) process.on(signal, receive)
  })
}
