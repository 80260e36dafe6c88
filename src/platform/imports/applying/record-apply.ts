import type { Sql } from '../../../db/sql.ts'
import type { Digest } from '../../../lib/digest.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { KeptDrift } from '../../../plan/compare/kept-drift.ts'
import { allChanges, allRows, takesOwnership, type Plan, type ScopeRow } from '../../../plan/plan.ts'
import type { RecordKey, RecordTypeName } from '../../../records/record-type.ts'
import { ownerName } from '../../../records/type-owner.ts'
import { insertApply } from '../../../store/model/applies.ts'
import { forgetDrift, forgetDriftOf, keepDrift, noteDrift, type DriftRow } from '../../../store/model/drift.ts'
import { saveScopeMemory, type ScopeMemory } from '../../../store/model/type-owners.ts'
import { driftRows } from './drift-rows.ts'
import { isSameMemory } from './memory-after.ts'
import { notManagedIn, type Apply } from '../history/applies.ts'
import type { ApplyOrigin } from './apply-origin.ts'
import type { DomainContext } from '../../domain-context.ts'

export interface FinishedApply {
  readonly uuid: string
  readonly plan: Plan
  /** The number of reviewed changes that were already made before. */
  readonly done: number
  /** The digest of the reviewed plan. */
  readonly digest: Digest
  readonly origin: ApplyOrigin
  readonly memory: ScopeMemory
  readonly memoryAfter: ScopeMemory
  /** Whether the apply takes no types from other owners. The local owner and a rollback take none. */
  readonly takesNoType: boolean
  /** Records that the document changes but the reviewed plan did not name. They remain drifted. */
  readonly leftAlone: readonly RecordKey[]
  /** The drift of applied records that the document does not affect. */
  readonly keptDrift: readonly KeptDrift[]
}

/**
 * Writes the results of an apply besides the records: its history, the managed types, and the removed drift. An apply
 * that changes no record and no owner is not recorded.
 */
export async function recordApply(sql: Sql, context: DomainContext, finished: FinishedApply): Promise<Apply> {
  const { plan, memory, memoryAfter, origin } = finished
  const { id } = context.domain
  const changes = allChanges(plan)
  const grants = plan.access.changes.length
  const { applyId: _, ...source } = origin
  const apply = {
    uuid: finished.uuid,
    at: context.now(),
    actor: context.actorName,
    origin: withoutNulls(source),
    planDigest: finished.digest,
    summary: {
      ...plan.summary,
      ...(grants > 0 && { access: grants }),
      ...(finished.done > 0 && { done: finished.done }),
    },
    scope: Object.fromEntries(shownRows(plan).map(({ type, state }) => [type, state])),
  }
  const managedBefore = Object.fromEntries(memory.managed)
  const hasOtherMemory = !isSameMemory(memory, memoryAfter)
  const recorded = changes.length > 0 || hasOtherMemory || allRows(plan).some(takesOwnership)
  const ownersBefore = Object.fromEntries(memory.owners)
  if (recorded) {
    await insertApply(sql, id, { ...apply, managedBefore, ownersBefore })
    await saveScopeMemory(sql, id, memoryAfter)
  }
  await settleDrift(sql, context, finished)
  return { ...apply, recorded, notManaged: notManagedIn({ ...apply, managedBefore, ownersBefore }) }
}

/** Records changes in types of another owner as drift, unless they were made on behalf of that owner. */
async function settleDrift(sql: Sql, context: DomainContext, finished: FinishedApply): Promise<void> {
  const { id } = context.domain
  const { plan, keptDrift } = finished
  const foreign = new Set(allRows(plan).flatMap((row) => (isBeside(row, finished) ? [row.type] : [])))
  await forgetDecided(sql, id, finished, foreign)
  await keepDrift(sql, id, keptDrift.filter(({ type }) => !foreign.has(type)).map(toRow))
  if (foreign.size === 0) return
  const changes = allChanges(plan).filter(({ type }) => foreign.has(type))
  await noteDrift(sql, id, driftRows(context, changes))
}

function isDecided({ state }: ScopeRow): boolean {
  return state === 'managed' || state === 'emptied'
}

/** If a rollback returns a type to an earlier owner, the type is in the state that this owner left. */
function isBeside({ type, managedBy }: ScopeRow, { takesNoType, memory, memoryAfter }: FinishedApply): boolean {
  const owner = ({ owners }: ScopeMemory) => ownerName(owners.get(type) ?? null)
  return takesNoType && managedBy !== undefined && owner(memory) === owner(memoryAfter)
}

/** Deletes drift that an apply settled: of all records of its types, or, in a rollback, of those that it changed. */
function forgetDecided(
  sql: Sql,
  id: number,
  { plan, origin, leftAlone }: FinishedApply,
  foreign: ReadonlySet<RecordTypeName>,
): Promise<void> {
  if (origin.rollbackOf) {
    const own = allChanges(plan).filter(({ type }) => !foreign.has(type))
    const keys = own.flatMap(({ type, key, from = key }) => [
      { type, key },
      { type, key: from },
    ])
    return forgetDriftOf(sql, id, keys)
  }
  const decided = allRows(plan).filter((row) => isDecided(row) && !foreign.has(row.type))
  const types = decided.map(({ type }) => type)
  return forgetDrift(sql, id, types, leftAlone)
}

function toRow({ type, key, base, actor, at, fields = {} }: KeptDrift): DriftRow {
  return { type, key, base, actor, changedAt: new Date(at), fields }
}

/** The rows to show. The row of grants is only shown if there is something to say about them. */
function shownRows(plan: Plan): readonly ScopeRow[] {
  return plan.access.state === 'unmanaged' ? plan.scope : allRows(plan)
}

export function withoutNulls(origin: object): JsonObject {
  return Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== null && value !== undefined))
}
