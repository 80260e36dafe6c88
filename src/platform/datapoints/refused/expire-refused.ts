import type { Database } from '../../../db/sql.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import { deleteRefusalsBefore, lockRefusals } from '../../../store/datapoints/arriving/refused-datapoints.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import { writeAccess } from '../../../store/domains.ts'
import { earliestKept } from '../../../datapoints/retention-time.ts'

const KEPT_DAYS = 30

/** Deletes the counts that are as old as no datapoints would be kept, or a month. `now`: microseconds since 1970. */
export function expireRefused(database: Database, domainId: number, now: number): Promise<void> {
  const limit = (keep: string | null) => Math.max(now - KEPT_DAYS * DAY, earliestKept(keep, now))
  return writeAccess(database, domainId, async (sql) => {
    // As whoever stores counts, which would otherwise hold rows in another order.
    await lockRefusals(sql, domainId)
    const kept = await fetchKept(sql, domainId)
    const ofDomain = kept.find(({ characteristicUuid }) => characteristicUuid === null)
    const characteristics = kept.flatMap(({ characteristicUuid: uuid, keep }) =>
      uuid === null ? [] : [{ uuid, before: limit(keep) }],
    )
    await deleteRefusalsBefore(sql, domainId, { characteristics, others: limit(ofDomain?.keep ?? null) })
  })
}
