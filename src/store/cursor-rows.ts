import type { ShapeOf } from '../db/row-shape.ts'
import type { Sql } from '../db/sql.ts'

/** Gives the rows of a declared cursor, so many at a time, and closes it after the last of them. */
export async function* cursorRows<Row extends object>(
  sql: Sql,
  shape: ShapeOf<Row>,
  cursor: string,
  atOnce: number,
): AsyncGenerator<Row[]> {
  for (;;) {
    const rows = await sql.rows(shape, `fetch ${atOnce} from ${cursor}`)
    if (rows.length === 0) break
    yield rows
  }
  await sql.query(`close ${cursor}`)
}
