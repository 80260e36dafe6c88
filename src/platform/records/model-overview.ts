import type { Impact } from '../../plan/plan.ts'
import { recordId } from '../../records/record-id.ts'
import { PLANNED_TYPES, RECORD_TYPES } from '../../records/registry.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { fetchManagedTypes, readDomain, type ManagedTypes } from '../../store/domains.ts'
import { fetchDriftOf } from '../../store/model/drift.ts'
import { fetchImpact } from '../../store/datapoints/points/impact.ts'
import { fetchModelCounts, type TypeCount } from '../../store/model/record-pages.ts'
import { countSeriesOf } from '../../store/model/record-path.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Reach } from '../systems/reach.ts'
import { HIDDEN_TYPES } from './read-records.ts'

export interface ModelOverview {
  readonly counts: ReadonlyMap<RecordTypeName, TypeCount>
  /** The types that the last apply managed. */
  readonly managed: ManagedTypes
}

/** The number of records of each type that the actor may see. */
export function modelOverview({ database, domain }: DomainContext, { units }: Reach): Promise<ModelOverview> {
  return readDomain(database, domain.id, async (sql) => {
    const types = (units === null ? PLANNED_TYPES : RECORD_TYPES).map(({ name }) => name)
    const counts = await fetchModelCounts(sql, domain.id, { types, hidden: HIDDEN_TYPES, around: units })
    const managed = await fetchManagedTypes(sql, domain.id)
    return { counts: new Map(counts.map((count) => [count.type, count])), managed }
  })
}

/** The records that differ from the last apply, with the last author of each. */
export async function driftedAmong(
  { database, domain }: DomainContext,
  records: readonly RecordKey[],
): Promise<ReadonlyMap<string, { readonly actor: string; readonly changedAt: Date }>> {
  const rows = await readDomain(database, domain.id, (sql) => fetchDriftOf(sql, domain.id, records))
  return new Map(rows.map((row) => [recordId(row), row]))
}

/** The maximum number of series whose points are counted. More take longer than a page may take. */
const MOST_COUNTED_SERIES = 5_000

/** The data of some records; null if counting it takes too long. */
export async function behindRecords(
  { database, domain }: DomainContext,
  records: readonly Pick<StoredRecord, 'type' | 'key' | 'uuid'>[],
  most = MOST_COUNTED_SERIES,
): Promise<ReadonlyMap<string, Impact> | null> {
  return readDomain(database, domain.id, async (sql) => {
    const uuids = records.map(({ uuid }) => uuid)
    if ((await countSeriesOf(sql, domain.id, uuids, most)) > most) return null
    return fetchImpact(
      sql,
      domain.id,
      records.map(({ type, key }) => ({ type, key })),
    )
  })
}
