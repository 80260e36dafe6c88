import { FailureLog } from '../failure-log.ts'
import type { Logger } from '../logger.ts'

/** Repeated work while a server runs. */
export interface Upkeep {
  /** Resolves when the work no longer uses the database. */
  stop(): Promise<void>
}

/** A step can fail because another server works on the same rows, or because the database was briefly unavailable. */
const FIRST_RETRY_MS = 60_000

/**
 * Repeats work, beginning at once. If a turn takes longer than the interval, the turns in that time are skipped. After
 * a failure the next turn follows after a minute, and after more failures the delay doubles until it reaches the
 * interval. The work can report partial failures before it ends.
 */
export function every(
  ms: number,
  work: (failed: (error: unknown) => void) => Promise<unknown>,
  failure: string,
  logger: Logger,
): () => Promise<void> {
  let running: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  const log = new FailureLog(failure, logger)
  const turn = (): void => {
    running ??= run().finally(() => (running = null))
  }
  const run = async (): Promise<void> => {
    clearTimeout(retry)
    let hasFailed = false
    const failed = (error: unknown): void => {
      hasFailed = true
      log.failed(error)
    }
    await work(failed).catch(failed)
    failures = hasFailed ? failures + 1 : 0
    if (!hasFailed) log.succeeded()
    const wait = FIRST_RETRY_MS * 2 ** (failures - 1)
    if (hasFailed && wait < ms) retry = setTimeout(turn, wait).unref()
  }
  const timer = setInterval(turn, ms)
  timer.unref()
  turn()
  return async () => {
    clearInterval(timer)
    await running
    clearTimeout(retry)
  }
}
