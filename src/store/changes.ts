import type { Database, Sql } from '../db/sql.ts'
import { DRAWN } from './datapoints/writer-slots.ts'

/** Tables whose rows say by which transaction they were last changed. */
export type ChangingTable = 'events' | 'setpoints' | 'applies'

/** What tells whether there is anything to look for. All of one moment, but for `drawn`, which is of that or a later one. */
export interface ChangeStatus {
  /** Which database this is: another one, or this one restored from a copy, has another identity. */
  readonly identity: string
  readonly snapshot: string
  /** The last number that was drawn for a flush of datapoints. */
  readonly drawn: number
  /** No flush up to this number is on its way; null where no process writes. */
  readonly settled: number | null
  /** Another text after datapoints have been folded into chunks. */
  readonly folds: string
  /** By domain: the last transaction that has changed a row of a table; null where there is no row. */
  readonly latest: { readonly [domainId: string]: { readonly [table in ChangingTable]: string | null } }
}

const latestIn = (table: ChangingTable) =>
  `(select changed_by::text from ${table} where domain_id = domain.id order by changed_by desc limit 1)`

/** One small statement for all who wait in a process. */
export async function fetchChangeStatus(database: Database, domainIds: readonly number[]): Promise<ChangeStatus> {
  const [status] = await database.statement<ChangeStatus>(
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

/** Of the moment of a read-only transaction. */
export async function fetchSnapshot(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ snapshot: string }>(`select pg_current_snapshot()::text as snapshot`)
  return row?.snapshot ?? ''
}

export interface ChangedRow {
  readonly uuid: string
  /** The transaction that has changed it last. */
  readonly changedBy: number
}

/**
 * The rows that were changed by transactions whose effects were not visible in `since`. Those of a number that nobody
 * has reached yet come from the copy of another database.
 */
export async function fetchChangedRows(
  sql: Sql,
  domainId: number,
  table: ChangingTable,
  since: string,
  limit: number,
): Promise<ChangedRow[]> {
  return sql.query<ChangedRow>(
    `select uuid, changed_by::text::int8 as "changedBy" from ${table}
     where domain_id = $1 and changed_by >= pg_snapshot_xmin($2::pg_snapshot)
       and not pg_visible_in_snapshot(changed_by, $2::pg_snapshot)
       and changed_by < pg_snapshot_xmax(pg_current_snapshot())
     order by ${table}.changed_by, uuid limit $3`,
    [domainId, since, limit],
  )
}
