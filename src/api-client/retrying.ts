import { ApiError, asApiError } from './api-error.ts'

export interface RetryOptions {
  /** Milliseconds after which a request is not repeated any more; by default two minutes. */
  readonly totalMs?: number
  /** Called with the reason when the platform stops answering, and with null when it answers again. */
  readonly onChange?: (reason: ApiError | null) => void
}

/** The clock of a client, which tests can replace. */
export interface Clock {
  now(): number
  /** Measures times by a clock that nobody sets, in milliseconds; left out: by `now`. */
  elapsed?(): number
  /** Waits, or rejects when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The usual time in which a request is repeated. */
const TOTAL_MS = 120_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A longer wait that somebody asks for is a mistake, and timers cannot wait for more than 24 days. */
const LONGEST_ASKED_MS = 3_600_000

/** The failures of one request since it last succeeded. */
export interface Attempts {
  /** Waits until the request may be repeated; throws if it may not. */
  failed(error: unknown): Promise<void>
  worked(): void
}

/** Decides when requests of a client are repeated. */
export class Retrying {
  readonly #options: RetryOptions
  readonly #clock: Clock
  #isAway = false

  constructor(options: RetryOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  async persist<T>(work: () => Promise<T>, signal: AbortSignal, totalMs?: number): Promise<T> {
    const attempts = this.begin(signal, totalMs)
    for (;;) {
      try {
        const result = await work()
        attempts.worked()
        return result
      } catch (error) {
        await attempts.failed(error)
      }
    }
  }

  begin(signal: AbortSignal, totalMs = this.#options.totalMs ?? TOTAL_MS): Attempts {
    const { now, elapsed = now, wait } = this.#clock
    let pause = FIRST_PAUSE_MS
    let end: number | null = null
    return {
      worked: () => {
        pause = FIRST_PAUSE_MS
        end = null
        this.#tell(null)
      },
      failed: async (error) => {
        signal.throwIfAborted()
        const failure = asApiError(error)
        if (!(failure instanceof ApiError && failure.retryable)) throw failure
        end ??= elapsed() + totalMs
        // Clients that failed at the same time must not come back at the same time.
        const delay = Math.min(failure.retryAfterMs, LONGEST_ASKED_MS) + pause * (0.5 + Math.random() / 2)
        if (elapsed() + delay > end) throw failure
        this.#tell(failure)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
        await wait(delay, signal)
        signal.throwIfAborted()
      },
    }
  }

  #tell(reason: ApiError | null): void {
    if (this.#isAway === (reason !== null)) return
    this.#isAway = reason !== null
    // An exception of the caller's function must not change the result of a request.
    queueMicrotask(() => this.#options.onChange?.(reason))
  }
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  // A device without a battery for its clock sets it when it finds a network.
  elapsed: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const abort = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', abort)
        resolve()
      }, milliseconds)
      signal.addEventListener('abort', abort, { once: true })
    }),
}
