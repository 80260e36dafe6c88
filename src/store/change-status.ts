import { INT8, nullable, TEXT } from '../db/columns.ts'
import { IDENTITY } from '../db/database-identity.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Database } from '../db/sql.ts'
import { DRAWN } from './datapoints/arriving/writer-slots.ts'
import { fetchOutboxStatus, type OutboxStatus } from './outbox.ts'

const FLUSHES = {
  identity: TEXT,
  /** The last number that was drawn for a flush of datapoints. */
  drawn: INT8,
  /** No flush up to this number is on its way; null if no process writes. */
  settled: nullable(INT8),
  /** Another text after datapoints have been folded. */
  folds: TEXT,
}

/** A process compares two of these to find out whether there are changes. `drawn` may be of a later moment than the rest. */
export interface ChangeStatus extends RowOf<typeof FLUSHES> {
  readonly outbox: readonly OutboxStatus[]
}

/**
 * Asks for the status of all subscriptions of a process. Flushes have one small statement, and the outboxes of domains
 * another one, because the tables of the first belong to one machine, and those of the second to domains.
 */
export async function fetchChangeStatus(database: Database, domainIds: readonly number[]): Promise<ChangeStatus> {
  const [flushes] = await database.rows(
    FLUSHES,
    `select ${IDENTITY} as identity,
       (${DRAWN}) as drawn,
       (select min(settled) from writer_slots) as settled,
       (select coalesce(string_agg(slot || '@' || extract(epoch from heartbeat_at), ' ' order by slot), '')
        from writer_slots) as folds`,
  )
  if (flushes === undefined) throw new Error('a select without from gave no row')
  return { ...flushes, outbox: await fetchOutboxStatus(database, domainIds) }
}
