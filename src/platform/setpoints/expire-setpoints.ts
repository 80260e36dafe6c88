import type { Database } from '../../db/sql.ts'
import { writeExpired } from '../../store/setpoints/setpoint-changes.ts'
import type { ChangeSignals } from '../changes/change-signals.ts'

/** Few enough that nobody waits for their locks. */
const BATCH = 1_000

export interface ExpiryParts {
  readonly database: Database
  readonly changes: ChangeSignals
  now(): Date
}

/**
 * Writes down which setpoints have expired, and tells who waits for changes. Every reader knows it already: nothing but
 * those depends on it. Any number of processes may do it at once.
 */
export async function expireSetpoints({ database, changes, now }: ExpiryParts): Promise<void> {
  for (;;) {
    const expired = await writeExpired(database, now(), BATCH)
    for (const domainId of new Set(expired)) changes.signal(domainId, 'setpoints')
    if (expired.length < BATCH) return
  }
}
