import type { Sql } from '../../../db/sql.ts'
import { PLANNED_TYPE_NAMES, type RecordTypeName } from '../../../records/record-type.ts'
import type { ApplyRow } from '../../../store/model/applies.ts'
import { fetchMemoryAfter, fetchScopeMemory, type ScopeMemory } from '../../../store/model/type-owners.ts'

/**
 * The memory of a domain after an apply is undone. It restores types whose management or owner the apply changed,
 * unless they changed again since. A later apply keeps its own changes.
 */
export async function memoryBefore(sql: Sql, domainId: number, apply: ApplyRow): Promise<ScopeMemory> {
  const now = await fetchScopeMemory(sql, domainId)
  const after = await fetchMemoryAfter(sql, domainId, apply.uuid)
  const [managed, owners] = [new Map(now.managed), new Map(now.owners)]
  for (const type of PLANNED_TYPE_NAMES) {
    const { ownersBefore } = apply
    // A later owner of the type keeps it.
    if (ownersBefore !== null && !isSame(after.owners.get(type), now.owners.get(type))) continue
    restore(managed, type, { found: stateOf(apply.managedBefore[type]), left: after.managed.get(type) })
    if (ownersBefore !== null) restore(owners, type, { found: ownersBefore[type], left: after.owners.get(type) })
  }
  return { managed, owners }
}

function stateOf(value: unknown): 'managed' | 'partial' | undefined {
  return value === 'managed' || value === 'partial' ? value : undefined
}

/** `found` is the value before the apply, and `left` the value after it. */
function restore<Value>(
  now: Map<RecordTypeName, Value>,
  type: RecordTypeName,
  { found, left }: { readonly found: Value | undefined; readonly left: Value | undefined },
): void {
  if (isSame(found, left) || !isSame(left, now.get(type))) return
  if (found === undefined) now.delete(type)
  else now.set(type, found)
}

/** Compares JSON texts. That works because jsonb sorts the members of an owner. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
