import { INT8, isMapOf, json, nullable, TEXT, UUID } from '../db/columns.ts'
import { hasShape, type RowOf } from '../db/row-shape.ts'
import type { Database, Sql } from '../db/sql.ts'
import { DRAWN } from './datapoints/writer-slots.ts'

/** The tables whose rows say by which transaction they were last changed. */
export type ChangingTable = 'events' | 'setpoints' | 'applies'

/** The last transaction that has changed a row of each table; null where there is no row. */
const hasLatest = hasShape({ events: nullable(TEXT), setpoints: nullable(TEXT), applies: nullable(TEXT) })

const STATUS = {
  /** The identity of this database: another one, or this one restored from a copy, has another. */
  identity: TEXT,
  snapshot: TEXT,
  /** The last number that was drawn for a flush of datapoints. */
  drawn: INT8,
  /** No flush up to this number is on its way; null where no process writes. */
  settled: nullable(INT8),
  /** Another text after datapoints have been folded. */
  folds: TEXT,
  /** The latest changes by the number of the domain. */
  latest: json(isMapOf(hasLatest)),
}

/**
 * A process compares two of these to find out whether there are changes. All of one is of one moment, but `drawn` may
 * be of a later one.
 */
export type ChangeStatus = RowOf<typeof STATUS>

const latestIn = (table: ChangingTable) =>
  `(select changed_by::text from ${table} where domain_id = domain.id order by changed_by desc limit 1)`

/** Asks for the status of several domains in one small statement, for all subscriptions of a process. */
export async function fetchChangeStatus(database: Database, domainIds: readonly number[]): Promise<ChangeStatus> {
  const [status] = await database.rows(
    STATUS,
    `select (select system_identifier from pg_control_system()) || ' '
         || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ' ' || current_database() as identity,
       pg_current_snapshot()::text as snapshot, (${DRAWN}) as drawn,
       (select min(settled) from writer_slots) as settled,
       (select coalesce(string_agg(slot || '@' || extract(epoch from heartbeat_at), ' ' order by slot), '')
        from writer_slots) as folds,
       (select coalesce(json_object_agg(domain.id, json_build_object('events', ${latestIn('events')},
          'setpoints', ${latestIn('setpoints')}, 'applies', ${latestIn('applies')})), '{}')
        from unnest($1::bigint[]) as domain (id)) as latest`,
    [domainIds.map(String)],
  )
  if (status === undefined) throw new Error('a select without from gave no row')
  return status
}

/** The snapshot of a read-only transaction. */
export async function fetchSnapshot(sql: Sql): Promise<string> {
  const [row] = await sql.rows({ snapshot: TEXT }, `select pg_current_snapshot()::text as snapshot`)
  return row?.snapshot ?? ''
}

const CHANGED = {
  uuid: UUID,
  /** The transaction that has changed the row last. */
  changedBy: INT8,
}

export type ChangedRow = RowOf<typeof CHANGED>

/**
 * The rows that were changed by transactions whose effects were not visible in `since`. Rows of a transaction whose
 * number this database has not reached yet come from the copy of another database, and are left out.
 */
export async function fetchChangedRows(
  sql: Sql,
  domainId: number,
  table: ChangingTable,
  since: string,
  limit: number,
): Promise<ChangedRow[]> {
  return sql.rows(
    CHANGED,
    `select uuid, changed_by::text::int8 as "changedBy" from ${table}
     where domain_id = $1 and changed_by >= pg_snapshot_xmin($2::pg_snapshot)
       and not pg_visible_in_snapshot(changed_by, $2::pg_snapshot)
       and changed_by < pg_snapshot_xmax(pg_current_snapshot())
     order by ${table}.changed_by, uuid limit $3`,
    [domainId, since, limit],
  )
}
