import type { ShapeOf } from '../db/row-shape.ts'
import type { Sql } from '../db/sql.ts'

/** Reads the rows of a declared cursor in batches, and closes it after the last row. */
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
