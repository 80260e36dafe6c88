import { errorFields, type Logger } from './logger.ts'

/** Work that is repeated while a server runs. */
export interface Upkeep {
  /** Resolves when the work no longer uses the database. */
  stop(): Promise<void>
}

/** Repeats work, beginning at once. A turn that takes longer than the interval skips the next ones. */
export function every(ms: number, work: () => Promise<unknown>, failure: string, logger: Logger): () => Promise<void> {
  let running: Promise<void> | null = null
  const turn = (): void => {
    running ??= work()
      .then(
        () => undefined,
        (error: unknown) => logger.error(errorFields(error), `${failure}; it is tried again`),
      )
      .finally(() => (running = null))
  }
  const timer = setInterval(turn, ms)
  timer.unref()
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}
