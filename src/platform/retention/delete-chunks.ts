import type { Database, Sql } from '../../db/sql.ts'
import { monthOf } from '../../store/datapoints/packed/partitions.ts'
import { preferOrderOfIndex } from '../../store/datapoints/points/points.ts'
import { writeData } from '../../store/domains.ts'
import { deleteExpired, findFirstExpired, type SeriesLimit } from '../../store/datapoints/retention.ts'

/**
 * A step takes some hundredths of a second, so that no one waits longer for the domain's lock or for the only
 * connection.
 */
const CHUNKS_OF_STEP = 1_000

/**
 * Deletes expired chunks of some series step by step, one month after the other. Each step reads the limits again
 * under the domain's lock, so that nothing is deleted after the retention was just extended.
 */
export async function deleteChunks(
  database: Database,
  domainId: number,
  fetchLimits: (sql: Sql) => Promise<readonly SeriesLimit[]>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return
    const deleted = await writeData(database, domainId, async (sql) => {
      await preferOrderOfIndex(sql)
      const limits = await fetchLimits(sql)
      if (limits.length === 0) return 0
      const first = await findFirstExpired(sql, domainId, limits)
      return first === undefined ? 0 : deleteExpired(sql, domainId, limits, monthOf(first), CHUNKS_OF_STEP)
    })
    if (deleted === 0) return
  }
}
