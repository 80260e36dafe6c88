import type { Impact } from '../../../plan/plan.ts'
import type { RecordTypeName } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { behindRecords, driftedAmong } from '../../../platform/records/model-overview.ts'
import { lastChanges, type RecordChange } from '../../../platform/records/record-history.ts'
import { linkedKeys } from '../../../platform/records/record-path.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import type { Visit } from '../../page.ts'
import { withRight } from '../../visit-right.ts'

/** Values for a table of records that are not in the records themselves. */
export interface BesideRecords {
  /** The data behind each record; null if the person may not read data, or if counting would take too long. */
  readonly behind: ReadonlyMap<string, Impact> | null
  readonly linked: ReadonlyMap<string, readonly string[]>
  readonly lastChanges: ReadonlyMap<string, RecordChange>
  readonly drifted: ReadonlyMap<string, { readonly actor: string; readonly changedAt: Date }>
}

/** The types that can have data behind them. */
const WITH_DATA: readonly RecordTypeName[] = [
  DATA_TYPES.characteristic,
  DATA_TYPES.service,
  DATA_TYPES.componentModel,
  DATA_TYPES.eventModel,
]

export function hasData(type: RecordTypeName): boolean {
  return WITH_DATA.includes(type)
}

export async function readBeside(
  visit: Visit,
  type: RecordTypeName,
  records: readonly StoredRecord[],
): Promise<BesideRecords> {
  const { context, actor } = visit
  const ofData = hasData(type) && records.length > 0 ? withRight(visit, 'data:read') : null
  // Only readers with a role in the whole domain see applies and the authors of drift.
  const isWhole = actor.units === null
  const [behind, linked, changes, drifted] = await Promise.all([
    ofData === null ? null : behindRecords(ofData.context, records),
    linkedKeys(context, records),
    isWhole ? lastChanges(context, records) : new Map<string, RecordChange>(),
    isWhole ? driftedAmong(context, records) : new Map<string, never>(),
  ])
  return { behind, linked, lastChanges: changes, drifted }
}
