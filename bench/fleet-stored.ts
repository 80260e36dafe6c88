import { BOOL, INT8, TEXT, nullable } from '../src/db/columns.ts'
import type { Database } from '../src/db/sql.ts'

// What the datapoints take on disk and in the log, whatever their tables are.

const TABLES = `from pg_class c where c.relkind = 'r' and c.relname like 'datapoint%'`

/** With indexes and long values, in bytes. */
export async function storedBytes(database: Database): Promise<number> {
  const [row] = await database.rows(
    { bytes: nullable(INT8) },
    `select sum(pg_total_relation_size(c.oid))::bigint as bytes ${TABLES}`,
  )
  return row?.bytes ?? 0
}

/** How much was written to the log since PostgreSQL was set up. */
export async function loggedBytes(database: Database): Promise<number> {
  const [row] = await database.rows({ bytes: INT8 }, `select (pg_current_wal_lsn() - '0/0')::bigint as bytes`)
  return row?.bytes ?? 0
}

/** Takes away what deleted rows have left, which VACUUM does in its own time. */
export async function removeDeadRows(database: Database): Promise<void> {
  const tables = await database.rows({ name: TEXT }, `select c.relname::text as name ${TABLES}`)
  for (const { name } of tables) await database.script(`vacuum full ${name}`)
}

/** Waits until nothing is hot and nothing moves any more. Says whether that was so before patience ended. */
export async function settled(database: Database, patienceSeconds: number): Promise<boolean> {
  const end = performance.now() + patienceSeconds * 1_000
  let [last, same] = [-1, 0]
  while (performance.now() < end) {
    const bytes = await storedBytes(database)
    same = bytes === last && !(await isHot(database)) ? same + 1 : 0
    if (same === 3) return true
    last = bytes
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
  return false
}

async function isHot(database: Database): Promise<boolean> {
  const [row] = await database.rows({ hot: BOOL }, 'select exists (select from datapoints_hot) as hot')
  return row?.hot === true
}
