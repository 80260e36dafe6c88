import { expireSetpoints, type ExpiryParts } from '../../platform/setpoints/expire-setpoints.ts'
import type { Logger } from './logger.ts'
import { every, type Upkeep } from './upkeep.ts'

const EXPIRE_EVERY_MS = 2_000

/** Signals expired setpoints while a server runs. */
export function keepSetpoints(parts: ExpiryParts, logger: Logger): Upkeep {
  const expire = (): Promise<void> => expireSetpoints(parts)
  return { stop: every(EXPIRE_EVERY_MS, expire, 'setpoints that have expired could not be written down', logger) }
}
