import { recentlyUsed } from '../lib/recently-used.ts'
import { errorFields, type Logger } from './logger.ts'

const AGAIN_MS = 3_600_000

/** Logs the failures of repeated work. Each message is logged once, and once an hour, until the work succeeds. */
export class FailureLog {
  readonly #failure: string
  readonly #logger: Logger
  readonly #logged = recentlyUsed<true>(1_000, AGAIN_MS)

  constructor(failure: string, logger: Logger) {
    this.#failure = failure
    this.#logger = logger
  }

  failed(error: unknown): void {
    const message = `because: ${error instanceof Error ? error.message : typeof error}`
    if (this.#logged.has(message)) return
    this.#logged.set(message, true)
    this.#logger.error(errorFields(error), `${this.#failure}; the server will retry`)
  }

  succeeded(): void {
    if (this.#logged.size === 0) return
    this.#logged.clear()
    this.#logger.info({}, `It succeeds again: ${this.#failure}`)
  }
}
