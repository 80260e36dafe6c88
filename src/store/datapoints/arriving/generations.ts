import { INT8 } from '../../../db/columns.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { MODEL_LOCK } from '../../model/model-versions.ts'
import { wholeOf } from '../../model/units.ts'

/** The highest number that was drawn for a flush. */
export async function lastGeneration(database: Database): Promise<number> {
  const [row] = await wholeOf(database).rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  return row?.last ?? 0
}

/**
 * The highest number that was drawn for a flush, when all flushes of the domain up to it are stored: it waits for those
 * that are just being stored, and gives the lock of the model back.
 */
export async function lastStoredGeneration(sql: Sql, domainId: number): Promise<number> {
  await sql.query('savepoint stored_flushes')
  await sql.query(`select pg_advisory_xact_lock(${MODEL_LOCK})::text`, [domainId])
  const [row] = await sql.rows(
    { last: INT8 },
    `select case when is_called then last_value else 0 end as last from datapoint_generations`,
  )
  await sql.query('rollback to savepoint stored_flushes')
  return row?.last ?? 0
}
