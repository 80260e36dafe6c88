import type { Datapoints } from '../../platform/datapoints/datapoints.ts'
import type { Logger } from '../logger.ts'
import { every, type Upkeep } from './upkeep.ts'

const FOLD_EVERY_MS = 500
/** Several beats fit into the time after which a silent process counts as dead. */
const BEAT_EVERY_MS = 3_000
const COUNT_EVERY_MS = 5_000
const TAKE_OVER_EVERY_MS = 5_000
const ERASE_EVERY_MS = 5_000
const TIDY_EVERY_MS = 600_000
const EXPIRE_EVERY_MS = 3_600_000

/** Maintains the datapoints while a server runs. Failed work is soon tried again. */
export function keepDatapoints(datapoints: Datapoints, logger: Logger): Upkeep {
  const stopping = new AbortController()
  const tasks = [
    every(FOLD_EVERY_MS, () => datapoints.compactor.tick(), 'datapoints could not be folded', logger),
    every(FOLD_EVERY_MS, () => datapoints.merge(), 'datapoints could not be merged', logger),
    every(BEAT_EVERY_MS, () => datapoints.compactor.beat(), 'the sign of life could not be stored', logger),
    every(
      TAKE_OVER_EVERY_MS,
      () => datapoints.takeOver(),
      'datapoints of a dead process could not be taken over',
      logger,
    ),
    every(COUNT_EVERY_MS, () => datapoints.refused.flush(), 'counts of refused datapoints could not be stored', logger),
    every(COUNT_EVERY_MS, () => datapoints.arrived.flush(), 'the counts of arrived data could not be stored', logger),
    every(
      ERASE_EVERY_MS,
      () => datapoints.erase(stopping.signal),
      'datapoints that were deleted could not be removed',
      logger,
    ),
    every(TIDY_EVERY_MS, () => datapoints.tidy(), 'chunks of datapoints could not be tidied', logger),
    every(
      EXPIRE_EVERY_MS,
      (failed) => datapoints.expire(stopping.signal, failed),
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
