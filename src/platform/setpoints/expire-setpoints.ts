import type { Database } from '../../db/sql.ts'
import { writeExpired } from '../../store/setpoints/due-setpoints.ts'
import type { ChangeSignals } from '../change-signals.ts'

/** The batch is small enough that its locks delay no one. */
const BATCH = 1_000

export interface ExpiryParts {
  readonly database: Database
  readonly changes: ChangeSignals
  now(): Date
}

/**
 * Stores which setpoints have expired, and signals it. Readers know it anyway, so only those who wait for changes
 * depend on this. Any number of processes may do it at once.
 */
export async function expireSetpoints({ database, changes, now }: ExpiryParts): Promise<void> {
  for (;;) {
    const { found, domainIds } = await writeExpired(database, now(), BATCH)
    for (const domainId of domainIds) changes.signal(domainId, 'setpoints')
    // Others may hold the remaining rows. The next turn takes them.
    if (found < BATCH || domainIds.length === 0) return
  }
}
