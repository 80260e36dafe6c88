import { INT8, nullable, TEXT } from '../db/columns.ts'
import { IDENTITY } from '../db/database-identity.ts'
import type { RowOf } from '../db/row-shape.ts'
import type { Database } from '../db/sql.ts'
import { DRAWN } from './datapoints/arriving/writer-slots.ts'
import { fetchOutboxStatus, type OutboxStatus } from './outbox.ts'

const FLUSHES = {
  identity: TEXT,
  /** The last flush number that was drawn. */
  drawn: INT8,
  /** All flushes up to this number are stored or will never be; null if no process writes. */
  settled: nullable(INT8),
  /** Changes after each fold. */
  folds: TEXT,
}

/** A process compares two of these to detect changes. `drawn` may be newer than the rest. */
export interface ChangeStatus extends RowOf<typeof FLUSHES> {
  readonly outbox: readonly OutboxStatus[]
}

/**
 * Reads the status for all subscriptions of a process. Flushes and outboxes have separate small statements, because
 * flushes are on one machine, and outboxes are distributed by domain.
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
