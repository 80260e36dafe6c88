import type { Database } from './sql.ts'

/** For work that is known to take long: the upkeep of datapoints, files of them, plans and applies. */
export const LONG_WORK_MS = 900_000

/** The same database for work whose statements may take another time than those of requests. */
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

/** The same database for reading at the pace of a client, who may let a transaction pause for longer than others may. */
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
