import { nameSome } from '../../../lib/counted.ts'
import type { Diagnostic } from '../../../lib/diagnostic.ts'
import { countsOf } from '../../../plan/impact-text.ts'
import { recordName } from '../../../plan/render/change-notes.ts'
import type { Change, Impact, ImpactKind } from '../../../plan/plan.ts'
import { recordId } from '../../../records/record-id.ts'
import type { RecordKey, RecordTypeName } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import type { ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import type { Reverted } from './rolled-back-records.ts'

// A rollback creates a deleted record again, but not the data that was deleted with it.

const { characteristic, componentModel, eventModel, service, unit } = DATA_TYPES

/** The kinds of data that are deleted with a record, by its type (docs/decisions/0065). */
const GOES_WITH: ReadonlyMap<RecordTypeName, readonly ImpactKind[]> = new Map([
  [componentModel, ['components', 'events', 'setpoints', 'datapoints']],
  [service, ['setpoints', 'datapoints']],
  [characteristic, ['setpoints', 'datapoints']],
  [eventModel, ['events']],
  // The systems stay, but no longer belong to a unit.
  [unit, ['systems']],
])

type Deletion = Pick<Change, 'type' | 'impact'> & { readonly action: string }

/** The data that a change deletes; undefined if records of its type have no data. */
export function lostWith({ type, action, impact }: Deletion): Impact | undefined {
  const kinds = GOES_WITH.get(type)
  if (kinds === undefined || action !== 'delete') return undefined
  return Object.fromEntries(kinds.map((kind) => [kind, impact[kind] ?? 0]).filter(([, count]) => count !== 0))
}

/** The data that an apply deleted, by its record. */
export type LostData = ReadonlyMap<string, Impact>

export function lostIn(changes: readonly ApplyChangeRow[]): LostData {
  return new Map(changes.flatMap(({ lost, ...change }) => (lost === undefined ? [] : [[recordId(change), lost]])))
}

const MOST_NAMED = 10

/** The findings of a rollback's plan about records that return without their data, with its amount if known. */
export function staysLost(lost: LostData, changes: readonly (RecordKey & Pick<Change, 'action'>)[]): Diagnostic[] {
  const without = changes.flatMap((change) => {
    if (change.action !== 'create' || !GOES_WITH.has(change.type)) return []
    const data = lost.get(recordId(change))
    const counts = data === undefined ? 'its data' : countsOf(data)
    return counts === '' ? [] : [`${recordName(change)} (${counts})`]
  })
  if (without.length === 0) return []
  const comes = without.length === 1 ? 'a record comes' : `${without.length} records come`
  const message = `${comes} back without what belonged to ${without.length === 1 ? 'it' : 'them'}: ${nameSome(without, MOST_NAMED)}`
  return [{ severity: 'warning', code: 'data-stays-lost', message, pointer: '' }]
}

/** The findings of a rollback's plan about records that were deleted since, so that their changes are not reverted. */
export function staysGone(records: readonly RecordKey[]): Diagnostic[] {
  if (records.length === 0) return []
  const are = records.length === 1 ? 'a record was' : `${records.length} records were`
  const message = `${are} deleted after the apply, and the rollback does not create ${records.length === 1 ? 'it' : 'them'} again: ${nameSome(records.map(recordName), MOST_NAMED)}`
  return [{ severity: 'warning', code: 'stays-deleted', message, pointer: '' }]
}

/** The errors for records whose earlier keys are taken. */
export function keysTaken(reverted: readonly Reverted[]): Diagnostic[] {
  return reverted.flatMap(({ change: { type }, live, taken }) => {
    if (taken === undefined) return []
    const back = recordName({ type, key: taken })
    const what = live === null ? `${back} cannot come back` : `${recordName(live)} cannot be ${back} again`
    const message = `${what}: another record has this key now. Rename or delete that record, and roll back again`
    return [{ severity: 'error', code: 'key-taken', message, pointer: '' }]
  })
}
