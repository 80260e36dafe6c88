import { allRows, takesOwnership, type Plan, type ScopeRow } from '../../../plan/plan.ts'
import { scopeAfter } from '../../../plan/scope.ts'
import { asOwner, type Planner } from '../../../records/type-owner.ts'
import type { ScopeMemory } from '../../../store/model/type-owners.ts'

/**
 * The memory of a domain after an apply of this plan. `scope` names the types whose management a part of a document may
 * change; left out for all. If an apply lists a type without an owner, the planner becomes its owner. The local owner
 * takes no type from another owner.
 */
export function memoryOf(plan: Plan, before: ScopeMemory, planner: Planner, scope?: readonly string[]): ScopeMemory {
  const [managed, owners] = [new Map(before.managed), new Map(before.owners)]
  for (const row of allRows(plan)) {
    const { type } = row
    const isPlanned = scope?.includes(type) !== false
    const state = isPlanned ? scopeAfter(row) : (managed.get(type) ?? null)
    if (state === null) managed.delete(type)
    else managed.set(type, state)
    // A type of links that only records hold has no owner.
    if (state !== 'managed') owners.delete(type)
    else if (planner && isHeld(row) && (isPlanned || !takesOwnership(row)))
      owners.set(type, asOwner(planner, before.owners.get(type) ?? null))
  }
  return { managed, owners }
}

/** Tells whether the document determines which records of the type exist. */
function isHeld({ state, owners }: ScopeRow): boolean {
  return (state === 'managed' || state === 'emptied') && owners === undefined
}

/** Tells whether two memories have the same types in the same state. */
function isSameScope({ managed: one }: ScopeMemory, { managed: other }: ScopeMemory): boolean {
  return one.size === other.size && [...one].every(([type, state]) => other.get(type) === state)
}

export function isSameMemory(one: ScopeMemory, other: ScopeMemory): boolean {
  const { owners } = one
  const isSameOwners =
    owners.size === other.owners.size && [...owners].every(([type, owner]) => other.owners.get(type) === owner)
  return isSameOwners && isSameScope(one, other)
}
