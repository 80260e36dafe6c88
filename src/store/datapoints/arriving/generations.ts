import { INT8, nullable } from '../../../db/columns.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { wholeOf } from '../../model/units.ts'
import { DRAWN } from './writer-slots.ts'

/** The highest number that was drawn for a flush. */
export async function lastGeneration(database: Database): Promise<number> {
  const [row] = await wholeOf(database).rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  return row?.last ?? 0
}

/**
 * A number up to which each flush is stored or never will be: the least that the processes say of their slots, or the last
 * number that was drawn, where no process writes. In a transaction of which each statement sees what is committed by then.
 */
export async function settledGeneration(sql: Sql): Promise<number> {
  const [[drawn], [slots]] = await Promise.all([
    sql.rows({ last: INT8 }, `select (${DRAWN}) as last`),
    sql.rows({ settled: nullable(INT8) }, `select min(settled) as settled from writer_slots`),
  ])
  return slots?.settled ?? drawn?.last ?? 0
}
