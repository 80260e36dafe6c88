import { sweepExpired } from '../../platform/access/sessions/sweep.ts'
import type { AccessParts } from '../request-context.ts'
import { FailureLog } from '../failure-log.ts'
import type { Logger } from '../logger.ts'

const EVERY_MS = 10 * 60_000

export interface Sweeping {
  /** Resolves when the sweeper no longer uses the database. */
  stop(): Promise<void>
}

/** Removes expired data from time to time. This only saves space, because expired data is never used. */
export function startSweeping({ database, now }: Pick<AccessParts, 'database' | 'now'>, logger: Logger): Sweeping {
  const log = new FailureLog('expired data could not be removed', logger)
  let last: Promise<void> = Promise.resolve()
  const sweep = async (): Promise<void> => {
    try {
      await sweepExpired(database, now())
      log.succeeded()
    } catch (error) {
      log.failed(error)
    }
  }
  const timer = setInterval(() => {
    last = last.then(sweep)
  }, EVERY_MS)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      return last
    },
  }
}
