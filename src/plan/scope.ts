import type { DesiredType, Snapshot } from '../documents/snapshot.ts'
import { PLANNED_TYPE_NAMES } from '../records/record-type.ts'
import type { LiveIndex } from './live-state.ts'
import type { ScopeRow, ScopeState } from './plan.ts'

export type BareScopeRow = Omit<ScopeRow, 'guards'>

/** One row for each record type, in the order of the specification, and one for grants. */
export function scopeRows(snapshot: Snapshot, index: LiveIndex, isPartial = false): BareScopeRow[] {
  return PLANNED_TYPE_NAMES.map((type) => {
    const desired = snapshot.get(type)
    const previously = index.managed.get(type) ?? null
    const actual = index.digests.get(type)?.size ?? 0
    const other = index.others?.get(type)
    // If another owner has a type and the document lacks it, the document says nothing about the type.
    const state = stateOf(desired, previously, actual, isPartial || other !== undefined)
    const row = {
      type,
      state,
      previously,
      ...(other && (state === 'unmanaged' || !other.isOpen) && { managedBy: other.name }),
      files: 0,
      desired: desired?.records.size ?? 0,
      actual,
    }
    const untouched = desired?.leavesSomeAlone === true ? countUntouched(desired, index.digests.get(type)) : 0
    return {
      ...row,
      ...(desired?.coverage === 'owners' && { owners: desired.owners }),
      ...(untouched > 0 && { untouched }),
    }
  })
}

/** Counts the records left alone because the embedded list, or the list of children, of their owner is absent. */
function countUntouched(desired: DesiredType, live: ReadonlyMap<string, unknown> = new Map()): number {
  let untouched = 0
  for (const key of live.keys()) if (!desired.records.has(key) && !desired.covers(key)) untouched += 1
  return untouched
}

function stateOf(
  desired: DesiredType | undefined,
  previously: ScopeRow['previously'],
  actual: number,
  isPartial: boolean,
): ScopeState {
  if (desired === undefined || desired.coverage === 'none')
    return previously === null || isPartial ? 'unmanaged' : 'released'
  if (desired.coverage === 'listed') return previously === 'managed' ? 'managed' : 'unmanaged'
  if (desired.coverage === 'owners') return previously === 'managed' && !isPartial ? 'released' : 'managed'
  return desired.records.size === 0 && actual > 0 ? 'emptied' : 'managed'
}

/** The management of a type that the platform remembers after the plan. A plan does not change it for unmanaged types. */
export function scopeAfter(row: Pick<ScopeRow, 'state' | 'owners' | 'previously'>): ScopeRow['previously'] {
  if (row.state === 'unmanaged') return row.previously
  if (row.owners !== undefined) return row.state === 'managed' && row.previously === 'managed' ? 'managed' : 'partial'
  return row.state === 'managed' || row.state === 'emptied' ? 'managed' : null
}

/** Tells whether the document lacks a type that an earlier apply of the same owner managed, whose records stay. */
export function isNotManagedNow(row: Pick<ScopeRow, 'state' | 'previously' | 'managedBy'>): boolean {
  return row.state === 'unmanaged' && row.previously !== null && row.managedBy === undefined
}

/** The management of each type that the platform remembers before the plan. */
export function managedBefore(scope: readonly Pick<ScopeRow, 'type' | 'previously'>[]): LiveIndex['managed'] {
  return new Map(scope.flatMap(({ type, previously }) => (previously === null ? [] : [[type, previously]])))
}
