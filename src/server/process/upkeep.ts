import { errorFields, type Logger } from '../logger.ts'

/** Work that is repeated while a server runs. */
export interface Upkeep {
  /** Resolves when the work no longer uses the database. */
  stop(): Promise<void>
}

/** A failed step may have met another server at the same rows, or a database that was away for a moment. */
const FIRST_RETRY_MS = 60_000

/**
 * Repeats work, beginning at once. A turn that takes longer than the interval skips the next ones. After one that failed
 * the next one comes within a minute, and then after twice as long each time, until that is the interval. The work may tell
 * what failed of it before it ends.
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
  const turn = (): void => {
    running ??= run().finally(() => (running = null))
  }
  const run = async (): Promise<void> => {
    clearTimeout(retry)
    let hasFailed = false
    const failed = (error: unknown): void => {
      hasFailed = true
      logger.error(errorFields(error), `${failure}; it is tried again`)
    }
    await work(failed).catch(failed)
    failures = hasFailed ? failures + 1 : 0
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
