import type { Worker } from 'node:worker_threads'
import { WaitingLine } from '../../db/postgres/turns.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { ApplyOutcome } from '../../platform/imports/applying/apply-outcome.ts'
import { startThread } from '../../platform/start-thread.ts'
import type { ChangeSignals } from '../../platform/change-signals.ts'
import { HttpError } from '../requests/error-response.ts'
import type { Logger } from '../logger.ts'
import type {
  HeavyAnswer,
  HeavyLoad,
  HeavyOrder,
  HeavyRefusal,
  HeavyReport,
  HeavyRequest,
  HeavySetup,
} from './heavy-message.ts'

export interface HeavyParts {
  readonly setup: HeavySetup
  readonly changes: ChangeSignals
  noteApply(outcome: ApplyOutcome): void
  readonly logger: Logger
  now(): Date
}

interface Asked {
  resolve(answer: HeavyAnswer): void
  reject(error: Error): void
}

/** If the heap of the thread is larger than this, the thread ends soon after its last request. */
const MOST_KEPT_BYTES = 268_435_456

/**
 * The time for which an idle thread with a large heap stays. An apply follows its plan, and a new thread would have to
 * load all modules and compile the code again.
 */
const GROWN_KEPT_MS = 10_000

/** The time for which an idle thread stays. It needs about 65 MB, and takes a second to start. */
const KEPT_MS = 300_000

/** Each request may hold a whole model or a million values in memory, and all share the heap of the thread. */
export const AT_ONCE = { mostOfOne: 6, mostOfAll: 12, mostWaiting: 1_000, patienceMs: 30_000 } as const

/**
 * Answers requests that would block the thread that owns the sockets: plans, applies, exports, and answers with very
 * many values. All these requests share one thread with its own database connections. The first request starts the
 * thread, which ends after some idle minutes.
 */
export class HeavyRequests {
  readonly #parts: HeavyParts
  readonly #asked = new Map<number, Asked>()
  readonly #keptMs: number
  readonly #line = new WaitingLine({ ...AT_ONCE, meanwhile: 'other large requests of this domain are being answered' })
  #worker: Worker | null = null
  #load: HeavyLoad | null = null
  #idle: NodeJS.Timeout | undefined
  #ending: Promise<unknown> = Promise.resolve()
  #count = 0

  constructor(parts: HeavyParts, keptMs = KEPT_MS) {
    this.#parts = parts
    this.#keptMs = keptMs
  }

  /** The number of requests in progress, and the thread's last report; null if there is none. */
  get load(): { readonly requests: number; readonly thread: HeavyLoad | null } {
    return { requests: this.#asked.size, thread: this.#load }
  }

  /** Starts the thread, so that the first request finds its modules loaded. */
  prepare(): void {
    this.#worker ??= this.#newWorker()
    this.#endLater(this.#worker)
  }

  /**
   * Answers a request. It transfers the memory of the body, which the caller cannot use afterwards. `left` fires when
   * nobody waits for the answer any more.
   */
  async answer(request: Omit<HeavyRequest, 'at'>, left?: AbortSignal): Promise<Response> {
    const at = this.#parts.now()
    const asking = () => this.#ask({ ...request, at, body: ownBuffer(request.body) }, left)
    const { status, headers, body: bytes } = await this.#line.run(request.domain.id, asking)
    return new Response(new Uint8Array(bytes), { status, headers: headers.map(([name, value]) => [name, value]) })
  }

  /** Must be called when no request is in progress. */
  async close(): Promise<void> {
    this.#endThread(this.#worker)
    await this.#ending
  }

  #endThread(worker: Worker | null): void {
    clearTimeout(this.#idle)
    if (worker === null || this.#worker !== worker) return
    this.#worker = null
    this.#load = null
    this.#ending = Promise.all([this.#ending, end(worker)])
  }

  #ask(request: HeavyRequest, left: AbortSignal | undefined): Promise<HeavyAnswer> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#newWorker()
    this.#count += 1
    const id = this.#count
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject })
      this.#worker?.ref()
      const worker = this.#worker
      tell(worker, { id, request }, [request.body.buffer as ArrayBuffer])
      if (left?.aborted === true) tell(worker, { left: id })
      left?.addEventListener('abort', () => this.#asked.has(id) && tell(worker, { left: id }), { once: true })
    })
  }

  #newWorker(): Worker {
    const worker = startThread(new URL('./heavy-worker.ts', import.meta.url), { workerData: this.#parts.setup })
    worker.on('message', (report: HeavyReport) => this.#hear(worker, report))
    worker.on('error', (error) => this.#fail(worker, asError(error)))
    worker.on('exit', () => this.#fail(worker, new Error('the thread for heavy requests has ended')))
    worker.unref()
    return worker
  }

  #hear(worker: Worker, report: HeavyReport): void {
    const { changes, logger, noteApply } = this.#parts
    if ('load' in report) this.#load = this.#worker === worker ? report.load : this.#load
    else if ('changed' in report) changes.signal(report.changed.domainId, report.changed.topic)
    else if ('applied' in report) noteApply(report.applied)
    else if ('logged' in report) logger[report.logged.level](report.logged.fields, report.logged.message)
    else this.#settle(worker, report)
  }

  #settle(worker: Worker, report: Extract<HeavyReport, { id: number }>): void {
    const asked = this.#asked.get(report.id)
    this.#asked.delete(report.id)
    if ('answer' in report) asked?.resolve(report.answer)
    else asked?.reject(errorOf(report))
    if (this.#asked.size > 0) return
    worker.unref()
    this.#endLater(worker)
  }

  #endLater(worker: Worker): void {
    const isGrown = (this.#load?.heapBytes ?? 0) > MOST_KEPT_BYTES
    const keptMs = isGrown ? Math.min(GROWN_KEPT_MS, this.#keptMs) : this.#keptMs
    this.#idle = setTimeout(() => this.#endThread(worker), keptMs).unref()
  }

  /** Fails the requests in progress. The next request gets a new thread. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#load = null
    if (this.#asked.size > 0) this.#parts.logger.error({ error: { message: error.message } }, 'heavy requests failed')
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const { reject } of asked) reject(ended(error))
  }
}

function ended(cause: Error): HoldfastError {
  const message =
    'the request needed too much memory, or its thread ended; nothing was changed unless the history shows it'
  return new HoldfastError('UNAVAILABLE', message, { cause })
}

function errorOf(report: Exclude<Extract<HeavyReport, { id: number }>, { answer: HeavyAnswer }>): Error {
  if ('refusal' in report) return httpError(report.refusal)
  if ('failure' in report) return report.failure
  const { code, message, details } = report.refused
  return new HoldfastError(code, message, { details })
}

function httpError({ code, status, title, message, headers }: HeavyRefusal): HttpError {
  return new HttpError(code, status, title, message, headers)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Copies memory that belongs to a pool, because it cannot be transferred to another thread. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  return isWhole ? bytes : new Uint8Array(bytes)
}

async function end(worker: Worker): Promise<void> {
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.ref()
  tell(worker, 'end')
  await exited
}

function tell(worker: Worker | null, order: HeavyOrder, given: ArrayBuffer[] = []): void {
  worker?.postMessage(order, given)
}
