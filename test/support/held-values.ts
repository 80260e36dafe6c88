import type { RowShape } from '../../src/db/row-shape.ts'
import type { Database, Sql, Transaction } from '../../src/db/sql.ts'

/**
 * The same database, but it refuses a value that its column does not allow. PostgreSQL does not report which columns
 * of a result may be null, which texts are allowed, and what JSON contains.
 */
export function holdValues(database: Database): Database {
  return {
    ...database,
    read: (work) => database.read((sql) => work(holdSql(sql))),
    transaction: (work) => database.transaction((sql) => work(holdTransaction(sql))),
    rows: holdRows(database),
    rowsApart: holdRows({ rows: database.rowsApart }),
    rowsAtOnce: holdRows({ rows: database.rowsAtOnce }),
  }
}

function holdSql(sql: Sql): Sql {
  return { ...sql, rows: holdRows(sql) }
}

function holdTransaction(sql: Transaction): Transaction {
  return { ...sql, rows: holdRows(sql) }
}

function holdRows(sql: Pick<Sql, 'rows'>): Sql['rows'] {
  return async (shape, text, values) => {
    const rows = await sql.rows(shape, text, values)
    for (const row of rows) checkValues(shape, row, text)
    return rows
  }
}

function checkValues(shape: RowShape, row: object, text: string): void {
  const values = new Map(Object.entries(row))
  for (const [name, { holds }] of Object.entries(shape)) {
    const value: unknown = values.get(name)
    if (!holds(value)) throw new Error(`the column "${name}" holds ${JSON.stringify(value)}: ${text}`)
  }
}
