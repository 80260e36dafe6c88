import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { claimPort } from '../process/listen.ts'
import { GatheredMetrics } from './gathered-metrics.ts'
import { BESIDE_VARIABLE, PLACE_VARIABLE, sendTo, type FromWorker } from './messages.ts'

export interface WorkersOptions {
  readonly config: Pick<Config, 'workers' | 'host' | 'port' | 'metricsPort'>
  /** Writes a text for the person who starts the server. */
  tell(text: string): void
}

/** The processes that serve one port together. This one only replaces them, without a database or requests. */
export class Workers {
  readonly #options: WorkersOptions
  /** The workers that take requests, by place. */
  readonly #ready = new Map<number, Worker>()
  readonly #limit = new RestartLimit()
  readonly #metrics = new GatheredMetrics()
  readonly #stopping = new AbortController()
  #ports: { readonly [variable: string]: string } = {}
  #hasServed = false

  constructor(options: WorkersOptions) {
    this.#options = options
  }

  /** Resolves when all workers take requests. The first worker migrates the database, and then the others start. */
  async start(): Promise<void> {
    const { config, tell } = this.#options
    process.once('exit', () => this.#kill())
    this.#ports = await claimPorts(config)
    await this.#begin(1, tell)
    await Promise.all(Array.from({ length: config.workers - 1 }, (_, index) => this.#begin(index + 2)))
    tell(`${config.workers} workers take its requests`)
  }

  /** Lets all workers finish their requests. Resolves with true if all ended without an error. */
  async stop(): Promise<boolean> {
    this.#stopping.abort()
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const endings = running.map(async (worker) => {
      const ended = once(worker, 'exit')
      sendTo(worker, { kind: 'stop' })
      await ended
      return worker.process.exitCode
    })
    return (await Promise.all(endings)).every((code) => code === 0)
  }

  /** Starts a worker, and resolves when it takes requests. It fails if the worker ends before that. */
  #begin(place: number, tell: WorkersOptions['tell'] = () => undefined): Promise<void> {
    // If others already serve, the worker must not get connections before it can answer them.
    const beside = { [BESIDE_VARIABLE]: this.#hasServed ? 'yes' : 'no' }
    const worker = cluster.fork({ ...this.#ports, ...beside, [PLACE_VARIABLE]: String(place) })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        this.#ready.set(place, worker)
        this.#hasServed = true
        resolve()
      } else if (message.kind === 'told') tell(message.text)
      else if (message.kind === 'failed') reject(failureOf(message))
      else if (message.kind === 'reported') this.#metrics.settle(message.id, message.families)
      else void this.#metrics.answer(worker, message.id, [...this.#ready.values()])
    })
    worker.on('error', reject)
    worker.once('exit', (code: number | null, signal: string | null) => {
      const how = signal === null ? `with ${code}` : `by ${signal}`
      reject(new HoldfastError('UNAVAILABLE', `Worker ${place} has ended ${how} before it took requests`))
      if (this.#ready.get(place) !== worker) return
      this.#ready.delete(place)
      void this.#replace(place, how)
    })
    return promise
  }

  async #replace(place: number, how: string): Promise<void> {
    const { tell } = this.#options
    const { signal } = this.#stopping
    if (signal.aborted) return
    const ms = this.#limit.next(performance.now())
    const when = ms === 0 ? 'at once' : `in ${Math.ceil(ms / 1_000)} seconds, since this happened often`
    tell(`Worker ${place} has ended ${how}; another one is started ${when}`)
    // The timer keeps this process alive even if no worker is left.
    await wait(ms, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    this.#metrics.restarts += 1
    await this.#begin(place).catch((error: Error) => this.#replace(place, `at its start (${error.message})`))
  }

  #kill(): void {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  }
}

/** Returns the ports for the environment of each worker. A used port is found here, and reported only once. */
async function claimPorts({ host, port, metricsPort }: WorkersOptions['config']) {
  const ports = { PORT: String(await claimPort({ host, port })) }
  if (metricsPort === null) return ports
  return { ...ports, METRICS_PORT: String(await claimPort({ host, port: metricsPort, variable: 'METRICS_PORT' })) }
}

function failureOf({ code, message, details }: Extract<FromWorker, { kind: 'failed' }>): HoldfastError {
  return new HoldfastError(code, message, { details })
}

const MOST = 5
const WITHIN_MS = 60_000

/** Limits the starts of replacements to five per minute for all workers, in case workers die repeatedly. */
export class RestartLimit {
  /** The times of the last starts, including planned ones. */
  #times: readonly number[] = []

  /** Returns the milliseconds that the next start must wait. */
  next(now: number): number {
    const oldest = this.#times.length < MOST ? undefined : this.#times[0]
    const at = oldest === undefined ? now : Math.max(now, oldest + WITHIN_MS)
    this.#times = [...this.#times, at].slice(-MOST)
    return at - now
  }
}
