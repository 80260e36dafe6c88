import { inject } from 'vitest'
import { INT8 } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'

/** Counts the sessions of a PostgreSQL database that wait for a lock, on all nodes. `query` is a pattern of `ilike`. */
export async function countWaiting(database: Pick<Database, 'rows'>, query = '%'): Promise<number> {
  const waiting = `select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '${query}'`
  const text = inject('testCluster').isCitus
    ? `select sum(result::bigint)::bigint as count from run_command_on_all_nodes($$${waiting}$$)`
    : waiting
  const [row] = await database.rows({ count: INT8 }, text)
  return row?.count ?? 0
}

/** Selects a row for each lock that a session of this PostgreSQL database waits for. The view has those of all databases. */
export const WAITING = `select 1 from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`
