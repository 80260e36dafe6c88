import type { Database } from '../../db/sql.ts'
import { Attempts } from '../../lib/attempts.ts'
import { writeAccess } from '../../store/domains.ts'
import { findUnnumbered, forgetChanges, numberChanges, type OutboxTopic } from '../../store/outbox.ts'

/** So many changes are kept: more than a subscriber can get who was away, and than a process can be behind. */
const KEPT = 50_000
/** So many more may lie there before they are deleted together. */
const SPARE = 10_000

/**
 * Numbers all that transactions that have ended have noted, and gives the last number. Any number of processes may do so
 * at once.
 */
export async function numberOutbox(database: Database, domainId: number, topic: OutboxTopic): Promise<number> {
  for (;;) {
    const { last, isMore } = await writeAccess(database, domainId, async (sql) => {
      const numbers = await numberChanges(sql, domainId, topic)
      if (numbers.last - numbers.forgotten > KEPT + SPARE)
        await forgetChanges(sql, domainId, topic, numbers.last - KEPT)
      return numbers
    })
    if (!isMore) return last
  }
}

/** Numbers what nobody follows, so that it is forgotten some day, whichever outbox fails. */
export async function tidyOutboxes(database: Database): Promise<void> {
  const attempts = new Attempts()
  for (const { domainId, topic } of await findUnnumbered(database))
    await attempts.make(() => numberOutbox(database, domainId, topic))
  attempts.end()
}
