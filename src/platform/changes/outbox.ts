import type { Database } from '../../db/sql.ts'
import { Attempts } from '../../lib/attempts.ts'
import { writeAccess } from '../../store/domains.ts'
import { findUnnumbered, forgetChanges, numberChanges, type OutboxTopic } from '../../store/outbox.ts'

/** The number of changes kept: more than a subscriber can get after an absence, or any process lags. */
const KEPT = 50_000
/** This many further changes may accumulate before they are deleted together. */
const SPARE = 10_000

/** Numbers the changes of all transactions that have ended, and returns the last number. Any process may do this. */
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

/** Numbers the changes that nobody follows, so that they can be deleted. If one outbox fails, others continue. */
export async function tidyOutboxes(database: Database): Promise<void> {
  const attempts = new Attempts()
  for (const { domainId, topic } of await findUnnumbered(database))
    await attempts.make(() => numberOutbox(database, domainId, topic))
  attempts.end()
}
