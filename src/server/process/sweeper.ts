import { sweepExpired } from '../../platform/access/sessions/sweep.ts'
import type { AccessParts } from '../request-context.ts'
import { errorFields, type Logger } from '../logger.ts'

const EVERY_MS = 10 * 60_000

export interface Sweeping {
  /** Resolves when the sweeper no longer uses the database. */
  stop(): Promise<void>
}

/** Removes expired data from time to time. This only saves space, because expired data is never used. */
export function startSweeping({ database, now }: Pick<AccessParts, 'database' | 'now'>, logger: Logger): Sweeping {
  let last: Promise<void> = Promise.resolve()
  const sweep = async (): Promise<void> => {
    try {
      await sweepExpired(database, now())
    } catch (error) {
      logger.error(errorFields(error), 'expired data could not be removed; the server will retry')
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
