import type { Datapoints } from '../platform/datapoints/datapoints.ts'
import { errorFields, type Logger } from './logger.ts'

export interface Upkeep {
  /** Resolves when nothing of it uses the database any more. */
  stop(): Promise<void>
}

const FOLD_EVERY_MS = 500
const TAKE_OVER_EVERY_MS = 5_000
const TIDY_EVERY_MS = 600_000
const EXPIRE_EVERY_MS = 3_600_000

/** What keeps datapoints in good order while a server runs. Whatever fails is tried again at the next turn. */
export function keepDatapoints(datapoints: Datapoints, logger: Logger): Upkeep {
  const fold = async (): Promise<void> => {
    await datapoints.compactor.tick()
    await datapoints.merge()
  }
  const stopping = new AbortController()
  const tasks = [
    every(FOLD_EVERY_MS, fold, 'datapoints could not be folded into chunks', logger),
    every(
      TAKE_OVER_EVERY_MS,
      () => datapoints.takeOver(),
      'datapoints of a dead process could not be taken over',
      logger,
    ),
    every(TIDY_EVERY_MS, () => datapoints.tidy(), 'chunks of datapoints could not be tidied', logger),
    every(
      EXPIRE_EVERY_MS,
      () => datapoints.expire(stopping.signal),
      'datapoints that are not kept any more could not be deleted',
      logger,
    ),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(tasks.map((stop) => stop()))
    },
  }
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
