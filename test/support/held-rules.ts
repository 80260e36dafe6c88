import { readdirSync, readFileSync } from 'node:fs'
import type { Database, Sql, Transaction } from '../../src/db/sql.ts'
import { brokenRules, knowTables } from './citus-rules.ts'

const MIGRATIONS = new URL('../../src/db/migrations/', import.meta.url)
knowTables(readdirSync(MIGRATIONS).map((name) => ({ text: readFileSync(new URL(name, MIGRATIONS), 'utf8') })))

const checked = new Set<string>()

/** Whether a statement comes from the product. A test itself may send any statement. */
const isOurs = (): boolean => /\/src\/store\//.test(new Error('where is this from').stack ?? '')

function check(text: string): void {
  if (checked.has(text) || !isOurs()) return
  const broken = brokenRules(text)
  if (broken.length > 0) throw new Error(`this statement would not run on Citus (${broken.join('; ')}): ${text}`)
  checked.add(text)
}

/** The same database, but it refuses statements that break the rules for Citus. It checks each text once. */
export function holdRules(database: Database): Database {
  return {
    ...database,
    rows: holdSql(database).rows,
    read: (work) => database.read((sql) => work({ ...sql, ...holdSql(sql) })),
    transaction: (work) => database.transaction((sql) => work(holdTransaction(sql))),
    rowsApart: holdSql({ rows: database.rowsApart }).rows,
    rowsAtOnce: holdSql({ rows: database.rowsAtOnce }).rows,
    statement: async (text, values) => {
      check(text)
      return database.statement(text, values)
    },
  }
}

function holdSql(sql: Pick<Sql, 'rows'> & Partial<Pick<Sql, 'query'>>): Pick<Sql, 'rows' | 'query'> {
  return {
    rows: async (shape, text, values) => {
      check(text)
      return sql.rows(shape, text, values)
    },
    query: async (text, values) => {
      check(text)
      return (await sql.query?.(text, values)) ?? []
    },
  }
}

function holdTransaction(sql: Transaction): Transaction {
  return {
    ...sql,
    ...holdSql(sql),
    script: async (text) => {
      check(text)
      await sql.script(text)
    },
  }
}
