import { afterAll, beforeAll, describe } from 'vitest'
import type { Database, SqlValue } from '../../src/db/sql.ts'
import { testCopies } from './sql-copies.ts'
import { testRows } from './sql-rows.ts'
import { testTransactions } from './sql-transactions.ts'
import { testValues } from './sql-values.ts'

export interface Subject {
  readonly database: Database
  /** The value of one expression. */
  select(expression: string, ...values: SqlValue[]): Promise<unknown>
}

/** What both drivers promise, and what one promises alone; `open` gives an empty database. */
export function describeSql(name: string, open: () => Promise<Database>, testMore: (subject: Subject) => void): void {
  describe(`Sql on ${name}`, () => {
    let database: Database
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())

    const subject: Subject = {
      get database() {
        return database
      },
      async select(expression, ...values) {
        const text = `SELECT ${expression} AS value`
        const [row] = await database.read((sql) => sql.query(text, values))
        return Object.values(row ?? {})[0]
      },
    }
    describe('values', () => {
      testValues(subject)
    })
    describe('rows', () => {
      testRows(subject)
    })
    describe('transactions', () => {
      testTransactions(subject)
    })
    describe('copies', () => {
      testCopies(subject)
    })
    testMore(subject)
  })
}
