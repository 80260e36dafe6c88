/**
 * SQL for the identity of a database: another one, or this one restored from a copy, has another. A name is given again, an
 * oid is not.
 */
export const IDENTITY = `(select system_identifier from pg_control_system()) || ' '
  || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ' '
  || (select oid || ' ' || datname from pg_database where datname = current_database())`

/**
 * SQL for the identity of a database since PostgreSQL was started on it. Storage that was put back to a snapshot has the
 * same identity as before, and PostgreSQL has to be started for that.
 */
export const STARTED_IDENTITY = `${IDENTITY} || ' ' || pg_postmaster_start_time()::text`

/** The setting in which a connection keeps the identity that its database had when it was opened. */
export const DATABASE_SETTING = 'holdfast.database'

/** Whatever takes a database back breaks its connections, so what this sets stays true as long as the connection. */
export const NOTE_DATABASE = `select set_config('${DATABASE_SETTING}', ${STARTED_IDENTITY}, false)`
