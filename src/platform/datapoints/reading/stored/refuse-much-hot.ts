import type { Sql } from '../../../../db/sql.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import { fetchHotBytes, type HotRange } from '../../../../store/datapoints/points/points.ts'

/** Hot points are read as a whole, since they may be gone when the next statement looks for them. */
const MOST_HOT_BYTES = 134_217_728

/**
 * Refuses to read series of which too many bytes have just arrived. Only texts are long enough for it. They are stored
 * away within seconds, and are then read piece by piece.
 */
export async function refuseMuchHot(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  range: HotRange,
): Promise<void> {
  const bytes = await fetchHotBytes(sql, domainId, seriesIds, range)
  if (bytes <= MOST_HOT_BYTES) return
  const [found, most] = [bytes, MOST_HOT_BYTES].map((count) => count.toLocaleString('en-US'))
  throw new HoldfastError(
    'UNAVAILABLE',
    `${found} bytes of these datapoints have just arrived and are still being stored away, and at most ${most} can be read before that; try again in a few seconds`,
  )
}
