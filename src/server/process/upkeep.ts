import { errorFields, type Logger } from './logger.ts'

/** Work that is done again and again while a server runs. */
export interface Upkeep {
  /** Resolves when nothing of it uses the database any more. */
  stop(): Promise<void>
}

/** Begins at once; a turn that takes longer than the time between two leaves out the next ones. */
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
