import type { Database } from '../../db/sql.ts'
import { Attempts } from '../../lib/attempts.ts'
import { listDomainsWithExpired, writeExpired } from '../../store/setpoints/due-setpoints.ts'
import type { ChangeSignals } from '../change-signals.ts'

/** The batch is small enough that its locks delay no one. */
const BATCH = 1_000

export interface ExpiryParts {
  readonly database: Database
  readonly changes: ChangeSignals
  now(): Date
}

/**
 * Stores which setpoints have expired, and signals their change. Readers compute the expiry themselves, so only clients
 * that wait for changes need this. Several processes may do it at once. If a domain fails, the others continue.
 */
export async function expireSetpoints({ database, changes, now }: ExpiryParts): Promise<void> {
  const attempts = new Attempts()
  for (const domainId of await listDomainsWithExpired(database, now()))
    await attempts.make(async () => {
      for (let written = BATCH; written === BATCH;) {
        // Other processes may hold the remaining rows. The next turn takes these rows.
        written = await writeExpired(database, domainId, now(), BATCH)
        if (written > 0) changes.signal(domainId, 'setpoints')
      }
    })
  attempts.end()
}
