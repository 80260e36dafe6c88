import { TEXT } from './columns.ts'
import type { Database } from './sql.ts'

/**
 * SQL for the identity of a database. Another database has another identity, and so has this database after a restore
 * from a copy. The identity contains the oid, because a name can be reused, but an oid cannot.
 */
export const IDENTITY = `(select system_identifier from pg_control_system()) || ' '
  || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ' '
  || (select oid || ' ' || datname from pg_database where datname = current_database())`

/**
 * SQL for the identity of a database since the start of PostgreSQL. If storage is restored from a snapshot, IDENTITY
 * stays the same, but PostgreSQL has to be restarted.
 */
export const STARTED_IDENTITY = `${IDENTITY} || ' ' || pg_postmaster_start_time()::text`

/** Tells whether a database has this identity now, and not one from before a restart. */
export async function isPresent(database: Pick<Database, 'rowsApart'>, identity: string): Promise<boolean> {
  const [found] = await database.rowsApart({ identity: TEXT }, `select ${STARTED_IDENTITY} as identity`)
  return found?.identity === identity
}

/** The setting of a connection that holds the identity of the database when the connection was opened. */
export const DATABASE_SETTING = 'holdfast.database'

/** Notes the identity in the connection. It stays valid, because every restore of a database breaks its connections. */
export const NOTE_DATABASE = `select set_config('${DATABASE_SETTING}', ${STARTED_IDENTITY}, false)`
