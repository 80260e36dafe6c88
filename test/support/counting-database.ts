import type { Database, Sql, SqlValue, Transaction } from '../../src/db/sql.ts'

export interface Statement {
  /** Counted from 1 over the life of the database. */
  readonly number: number
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Called before each statement. If it throws an error, the statement fails with that error. */
export type BeforeStatement = (statement: Statement) => void | Promise<void>

export interface CountingDatabase extends Database {
  /**
   * The texts of all statements so far, `COMMIT` included. Before it is the moment between the last statement and the
   * end.
   */
  readonly statements: string[]
}

/** Records the statements of a database, and lets a test fail or kill the process at any statement. */
export function countingDatabase(database: Database, before: BeforeStatement = () => {}): CountingDatabase {
  const statements: string[] = []
  /**
   * Statements that one transaction sends at once keep their order, even if one is held. Other transactions continue.
   */
  const inOrder = (): Record => {
    let last: Promise<unknown> = Promise.resolve()
    return (text, values = []) => {
      const number = statements.push(text)
      const held = last.then(() => before({ number, text, values }))
      last = held.catch(() => undefined)
      return held
    }
  }
  const record: Record = (text, values) => inOrder()(text, values)
  return {
    statements,
    isSingle: database.isSingle === true,
    isDistributed: database.isDistributed === true,
    ...(database.turns && { turns: database.turns }),
    read: (work) => database.read(async (sql) => work(countReads(sql, inOrder()))),
    transaction: (work) =>
      database.transaction(async (sql) => {
        const own = inOrder()
        const result = await work(countWrites(sql, own))
        await own('COMMIT')
        return result
      }),
    rows: async (shape, text, values) => {
      await record(text, values)
      return database.rows(shape, text, values)
    },
    rowsApart: async (shape, text, values) => {
      await record(text, values)
      return database.rowsApart(shape, text, values)
    },
    rowsAtOnce: async (shape, text, values) => {
      await record(text, values)
      return database.rowsAtOnce(shape, text, values)
    },
    statement: async (text, values) => {
      await record(text, values)
      return database.statement(text, values)
    },
    script: async (text) => {
      await record(text)
      await database.script(text)
    },
    close: () => database.close(),
  }
}

type Record = (text: string, values?: readonly SqlValue[]) => Promise<void>

function countReads(sql: Sql, record: Record): Sql {
  return {
    rows: async (shape, text, values) => {
      await record(text, values)
      return sql.rows(shape, text, values)
    },
    query: async (text, values) => {
      await record(text, values)
      return sql.query(text, values)
    },
    limit: async (ms) => {
      await record(`SET LOCAL statement_timeout = ${ms}`)
      await sql.limit(ms)
    },
    setLocal: async (settings) => {
      await record(`set local ${Object.keys(settings).join(', ')}`)
      await sql.setLocal(settings)
    },
    lockAfter: async (savepoint, lock, settings) => {
      await record(`savepoint ${savepoint}; ${lock}`)
      await sql.lockAfter(savepoint, lock, settings)
    },
  }
}

function countWrites(sql: Transaction, record: Record): Transaction {
  return {
    ...countReads(sql, record),
    script: async (text) => {
      await record(text)
      await sql.script(text)
    },
    copyIn: async (text, data) => {
      await record(text)
      await sql.copyIn(text, data)
    },
    copyOut: async (text) => {
      await record(text)
      return sql.copyOut(text)
    },
  }
}
