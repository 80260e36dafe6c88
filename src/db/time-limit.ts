import type { Database } from './sql.ts'

/** The time limit of long work: maintenance of datapoints, files of datapoints, plans and applies. */
export const LONG_WORK_MS = 900_000

/** Returns the database with a time limit for statements that differs from the limit of requests. */
export function withTimeLimit(database: Database, ms: number): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (sql) => {
      await sql.limit(ms)
      return work(sql)
    })
  return {
    ...database,
    read: (work) =>
      database.read(async (sql) => {
        await sql.limit(ms)
        return work(sql)
      }),
    transaction,
    rows: (shape, text, values) => transaction((sql) => sql.rows(shape, text, values)),
    statement: (text, values) => transaction((sql) => sql.query(text, values)),
  }
}

/** Returns the database for reading at the pace of a client: its transactions may pause for `ms` between statements. */
export function withPauses(database: Database, ms: number): Database {
  return {
    ...database,
    read: (work) =>
      database.read(async (sql) => {
        await sql.setLocal({ idle_in_transaction_session_timeout: String(ms) })
        return work(sql)
      }),
  }
}
