import { tidyOutboxes } from '../../platform/changes/outbox.ts'
import { expireSetpoints, type ExpiryParts } from '../../platform/setpoints/expire-setpoints.ts'
import type { Logger } from '../logger.ts'
import { every, type Upkeep } from './upkeep.ts'

const EXPIRE_EVERY_MS = 2_000
const TIDY_OUTBOXES_EVERY_MS = 60_000

/** Reports expired setpoints, and keeps the outboxes of subscriptions small, while a server runs. */
export function keepSetpoints(parts: ExpiryParts, logger: Logger): Upkeep {
  const expire = (): Promise<void> => expireSetpoints(parts)
  const tasks = [
    every(EXPIRE_EVERY_MS, expire, 'expired setpoints could not be stored', logger),
    every(
      TIDY_OUTBOXES_EVERY_MS,
      () => tidyOutboxes(parts.database),
      'changes that nobody follows could not be numbered',
      logger,
    ),
  ]
  return {
    stop: async () => {
      await Promise.all(tasks.map((stop) => stop()))
    },
  }
}
