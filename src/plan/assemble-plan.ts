import type { Snapshot } from '../documents/snapshot.ts'
import { hasErrors, type Diagnostic } from '../lib/diagnostic.ts'
import { ACCESS } from '../records/record-type.ts'
import type { DriftBelow } from './compare/field-drift.ts'
import type { LiveIndex, LiveState } from './live-state.ts'
import { planDigest } from './plan-digest.ts'
import { referencedRecords } from './findings/plan-references.ts'
import {
  allChanges,
  allRows,
  takesOwnership,
  type AccessDiff,
  type AccessPlan,
  type Change,
  type ClientBreaks,
  type NotCompared,
  type Outcome,
  type OwnPart,
  type Plan,
  type ScopeRow,
  type Summary,
} from './plan.ts'

/** The parts that a plan is assembled from. */
interface PlanParts {
  readonly live: Pick<LiveState, 'domain' | 'keyedDigest'>
  readonly snapshot: Snapshot
  readonly index: LiveIndex
  readonly scope: readonly ScopeRow[]
  readonly changes: readonly Change[]
  /** The people who could do more or less; null if nobody could. */
  readonly diff: AccessDiff | null
  readonly diagnostics: readonly Diagnostic[]
  readonly uncompared: readonly NotCompared[]
  readonly drift: DriftBelow
  /** Null if the types of clients lose nothing. */
  readonly breaks: ClientBreaks | null
  /** Makes the facts about a plan of a part of the document; left out for a plan of the whole document. */
  readonly ownPart?: ((references: Plan['references'], scope: readonly ScopeRow[]) => OwnPart) | undefined
}

export function assemblePlan({
  live,
  snapshot,
  index,
  scope,
  changes,
  diff,
  diagnostics,
  uncompared,
  drift,
  breaks,
  ownPart,
}: PlanParts): Plan {
  const parts = apart(scope, changes, diff)
  const references = referencedRecords(changes, index)
  const own = ownPart?.(references, scope)
  return {
    formatVersion: 1,
    domain: live.domain,
    digest: planDigest({ domain: live.domain, ...parts, references, own }, live.keyedDigest),
    outcome: outcomeOf({ ...parts, diagnostics }),
    summary: summarise(parts.changes, parts.scope, snapshot, uncompared.length),
    ...parts,
    references,
    diagnostics,
    ...(uncompared.length > 0 && { notCompared: uncompared }),
    ...(drift.fields.length > 0 && { drift: drift.fields }),
    ...(drift.settles && { settlesDrift: true }),
    ...(breaks && { breaks }),
    ...(own && { own }),
  }
}

/** Takes out the row and the changes of the grants, because a plan shows them separately, as `access`. */
function apart(
  scope: readonly ScopeRow[],
  changes: readonly Change[],
  diff: AccessDiff | null,
): Pick<Plan, 'scope' | 'changes' | 'access'> {
  const row = scope.find(({ type }) => type === ACCESS)
  if (row === undefined) throw new Error('the scope has no row for access')
  // Grants are the last type in the order of changes, so the last change tells whether there are any.
  const hasGrants = changes.at(-1)?.type === ACCESS
  return {
    scope: scope.filter((one) => one !== row),
    changes: hasGrants ? changes.filter(({ type }) => type !== ACCESS) : changes,
    access: accessPlan(row, hasGrants ? changes.filter(({ type }) => type === ACCESS) : [], diff),
  }
}

function accessPlan(row: ScopeRow, changes: readonly Change[], diff: AccessDiff | null): AccessPlan {
  const { type: _, files: _files, owners: _owners, untouched: _untouched, ...own } = row
  return { ...own, changes, ...(diff && { diff }) }
}

/**
 * A plan is blocked if an apply of it would be refused. A type that leaves the scope or gets another owner counts as
 * a change, even if no record changes.
 */
export function outcomeOf(plan: Pick<Plan, 'scope' | 'changes' | 'access' | 'diagnostics'>): Outcome {
  const { diagnostics } = plan
  const [scope, changes] = [allRows(plan), allChanges(plan)]
  if (hasErrors(diagnostics) || scope.some(isStopped) || changes.some(isStopped)) return 'blocked'
  const isScopeChanged = scope.some((row) => row.state === 'released' || takesOwnership(row))
  return changes.length > 0 || isScopeChanged ? 'changes' : 'no-changes'
}

function isStopped({ guards }: ScopeRow | Change): boolean {
  return guards.some(({ acknowledged }) => !acknowledged)
}

function summarise(
  changes: readonly Change[],
  scope: readonly ScopeRow[],
  snapshot: Snapshot,
  uncompared: number,
): Summary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const wanted = scope.reduce((total, { desired }) => total + desired, 0)
  const touched = changes.filter(
    ({ type, key, action, after }) =>
      action === 'create' || (after !== null && snapshot.get(type)?.records.has(key) === true),
  ).length
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    move: count('move'),
    unchanged: wanted - touched - uncompared,
    ...(uncompared > 0 && { notCompared: uncompared }),
    unmanagedTypes: scope.filter(
      ({ state, owners }) => state === 'unmanaged' || (state === 'released' && owners === undefined),
    ).length,
  }
}
