import type { Sql } from '../../../db/sql.ts'
import type { Digest } from '../../../lib/digest.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { KeptDrift } from '../../../plan/compare/kept-drift.ts'
import { allChanges, allRows, type Plan, type ScopeRow } from '../../../plan/plan.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { insertApply } from '../../../store/model/applies.ts'
import { saveManagedTypes, type ManagedTypes } from '../../../store/domains.ts'
import { forgetDrift, forgetDriftOf, keepDrift, type DriftRow } from '../../../store/model/drift.ts'
import { notManagedIn, type Apply } from '../history/applies.ts'
import type { ApplyOrigin } from './apply-origin.ts'
import type { DomainContext } from '../../domain-context.ts'

export interface FinishedApply {
  readonly uuid: string
  readonly plan: Plan
  /** The number of reviewed changes that were made already. */
  readonly done: number
  /** The digest of the reviewed plan. */
  readonly digest: Digest
  readonly origin: ApplyOrigin
  readonly managed: ManagedTypes
  readonly managedAfter: ManagedTypes
  /** Records that the document wants changed and the reviewed plan did not name. They stay drifted. */
  readonly leftAlone: readonly RecordKey[]
  /** The drift of applied records that the document does not decide about. */
  readonly keptDrift: readonly KeptDrift[]
}

/**
 * Writes what an apply leaves beside the records: its history, which types it manages, and that they have not
 * drifted. An apply that changes nothing is not recorded.
 */
export async function recordApply(sql: Sql, context: DomainContext, finished: FinishedApply): Promise<Apply> {
  const { plan, managed, managedAfter, origin } = finished
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
  const recorded = changes.length > 0 || !sameManaged(managed, managedAfter)
  if (recorded) {
    await insertApply(sql, id, { ...apply, managedBefore: Object.fromEntries(managed) })
    await saveManagedTypes(sql, id, managedAfter)
  }
  await settleDrift(sql, id, finished)
  return { ...apply, recorded, notManaged: notManagedIn(apply, Object.fromEntries(managed)) }
}

async function settleDrift(sql: Sql, id: number, finished: FinishedApply): Promise<void> {
  await forgetDecided(sql, id, finished)
  await keepDrift(sql, id, finished.keptDrift.map(toRow))
}

/**
 * Deletes the drift that was decided. A rollback decides about the records that it changes, and another apply about
 * all records of the types that it manages.
 */
function forgetDecided(sql: Sql, id: number, { plan, origin, leftAlone }: FinishedApply): Promise<void> {
  if (origin.rollbackOf) {
    const keys = allChanges(plan).flatMap(({ type, key, from = key }) => [
      { type, key },
      { type, key: from },
    ])
    return forgetDriftOf(sql, id, keys)
  }
  const decided = allRows(plan).filter(({ state }) => state === 'managed' || state === 'emptied')
  const types = decided.map(({ type }) => type)
  return forgetDrift(sql, id, types, leftAlone)
}

function toRow({ type, key, base, actor, at, fields = {} }: KeptDrift): DriftRow {
  return { type, key, base, actor, changedAt: new Date(at), fields }
}

/** The rows to show, with the row of grants only where something is said about them. */
function shownRows(plan: Plan): readonly ScopeRow[] {
  return plan.access.state === 'unmanaged' ? plan.scope : allRows(plan)
}

function sameManaged(a: ManagedTypes, b: ManagedTypes): boolean {
  return a.size === b.size && [...a].every(([type, state]) => b.get(type) === state)
}

export function withoutNulls(origin: object): JsonObject {
  return Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== null && value !== undefined))
}
