import { INT8 } from '../../db/columns.ts'
import type { Database } from '../../db/sql.ts'
import { wholeOf } from '../model/units.ts'

/** The highest number that was drawn for a flush. */
export async function lastGeneration(database: Database): Promise<number> {
  const [row] = await wholeOf(database).rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  return row?.last ?? 0
}
