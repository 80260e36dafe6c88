import { nameSome } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { allChanges, allRows, type Change, type Plan, type ScopeState } from '../../plan/plan.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { leftOver } from './left-over.ts'

/** Changes of a merge that the reviewed plan lacks, or has with other values. */
export interface Unreviewed {
  /** A sentence without an ending: the caller adds what to do about it. */
  readonly message: string
  readonly details: readonly { readonly type: string; readonly key: string; readonly reason: string }[]
}

/**
 * Compares the changes of a merge with the reviewed ones. If a pull request was reviewed against another branch, its
 * plan does not show the changes of that branch. Fewer changes are fine, because a part may be applied already. The
 * platform judges drift. Returns null if the review covers all changes.
 */
export function unreviewedIn(reviewed: Plan, merged: Plan): Unreviewed | null {
  if (reviewed.own === undefined || merged.own === undefined || reviewed.withheld !== undefined) return null
  const seen = new Map(allChanges(reviewed).map((change) => [recordId(change), change]))
  const unseen = allChanges(merged).filter((change) => !seen.has(recordId(change)))
  const others = allChanges(merged).filter((change) => isOtherwise(change, seen.get(recordId(change))))
  const types = changedScope(reviewed, merged)
  if (unseen.length + others.length + types.length === 0) return null
  const beside = nameSome([...unseen.map(recordId), ...types], MOST_NAMED)
  const parts = [
    ...(beside === '' ? [] : [`the merge also changes ${beside}`]),
    ...(others.length === 0
      ? []
      : [`the merge changes ${nameSome(others.map(recordId), MOST_NAMED)} differently from the review`]),
  ]
  return {
    message: `the pull request was reviewed against another target branch, or somebody changed the same records since: ${parts.join(', and ')}`,
    details: [...unseen.map(because(UNSEEN)), ...others.map(because(OTHERWISE))],
  }
}

/**
 * Refuses a merge with changes that were not reviewed. `newest` is the plan of everything that the newest models
 * want. A change that they no longer want is not made, so it is not checked.
 */
export function requireReviewedPart(reviewed: Plan, merged: Plan, newest: Plan | null): void {
  const found = unreviewedIn(reviewed, newest === null ? merged : stillWanted(merged, newest))
  if (found === null) return
  throw new HoldfastError(
    'STALE_PLAN',
    `${found.message}; nothing was changed; to apply these changes, review a plan of everything that differs`,
    { details: found.details },
  )
}

function stillWanted(merged: Plan, newest: Plan): Plan {
  const dropped = new Set(leftOver(merged, newest).except.map(recordId))
  const isWanted = (change: Change) => !dropped.has(recordId(change))
  const { changes, access } = merged
  return {
    ...merged,
    changes: changes.filter(isWanted),
    access: { ...access, changes: access.changes.filter(isWanted) },
  }
}

function isOtherwise(made: Change, seen: Change | undefined): boolean {
  if (seen === undefined || made.cause === 'drift' || made.cause === 'both') return false
  return effectOf(made) !== effectOf(seen)
}

function effectOf({ action, from, beforeDigest, afterDigest }: Change): string {
  return JSON.stringify([action, from ?? null, beforeDigest, afterDigest])
}

/** The record types that the merge manages differently from the reviewed plan. */
function changedScope(reviewed: Plan, merged: Plan): string[] {
  return (merged.own?.scope ?? []).filter((type) => stateIn(merged, type) !== stateIn(reviewed, type))
}

/** The state of a type whose management a plan changes. */
function stateIn({ own, ...plan }: Plan, type: RecordTypeName): ScopeState | undefined {
  return own?.scope.includes(type) === true ? allRows(plan).find((row) => row.type === type)?.state : undefined
}

const UNSEEN = 'the merge changes it, and the reviewed plan does not show it'
const OTHERWISE = 'the merge changes it differently from the reviewed plan'

function because(reason: string) {
  return ({ type, key }: Change) => ({ type, key, reason })
}

/** The message names up to this number of records and counts the others. The details name all. */
const MOST_NAMED = 10
