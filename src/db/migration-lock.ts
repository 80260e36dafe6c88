import type { Database, Transaction } from './sql.ts'
import { LOCK_NOT_AVAILABLE, sqlState } from './sql-error.ts'

/**
 * A table lock, because it is released with the transaction and works on Citus, unlike an advisory lock. Waiting
 * processes and backups can still read the table.
 */
const LOCK = 'LOCK TABLE schema_migrations IN SHARE ROW EXCLUSIVE MODE'

/**
 * Runs a transaction under the lock of those that change the tables. Its statements have no time limit, because they
 * may take long if there is much data. `waits` is called if another process has the lock.
 */
export async function underMigrationLock<T>(
  database: Database,
  waits: () => void,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  const run = (lock: string) =>
    database.transaction(async (sql) => {
      await sql.limit(Infinity)
      await sql.query(lock)
      return work(sql)
    })
  return run(`${LOCK} NOWAIT`).catch((error: unknown) => {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    waits()
    return run(LOCK)
  })
}
