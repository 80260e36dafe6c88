import { HoldfastError } from '../../lib/errors.ts'
import { recordId } from '../../records/record-id.ts'
import { allChanges, type Change, type Plan } from '../plan.ts'
import { reviewedChanges, type ReviewedChange, type ReviewedPlan } from './reviewed-plan.ts'

/** A record that has changed since the plan was made. */
export interface StaleRecord {
  readonly type: string
  readonly key: string
  readonly reason: string
  /** Given if the reason has a code of its own. */
  readonly code?: string
}

/** Records that the reviewed plan refers to and that have changed. */
export function staleReferences(
  { references }: Pick<ReviewedPlan, 'references'>,
  digests: ReadonlyMap<string, string>,
): StaleRecord[] {
  return references.flatMap(({ type, key, digest }) => {
    const live = digests.get(recordId({ type, key })) ?? null
    if (live === digest) return []
    const what = live === null ? 'deleted' : digest === null ? 'created' : 'changed'
    return [{ type, key, reason: `the plan refers to it, and it was ${what} since` }]
  })
}

/**
 * Compares the reviewed changes with the present changes of the same document. Both must agree change by change.
 * `changes` are the reviewed changes that are still to be made.
 */
export function staleRecords(
  reviewed: ReviewedPlan,
  now: Plan,
  digests: ReadonlyMap<string, string>,
  changes = reviewedChanges(reviewed),
): StaleRecord[] {
  const unreferenced = staleReferences(reviewed, digests)
  // Equal digests mean equal effects.
  if (now.digest === reviewed.digest) return unreferenced
  if (changes === undefined) throw notTheSame()
  if (changes.length === 0 && allChanges(now).length === 0) return []
  return [...movedRecords(changes, now), ...unreferenced, ...addedRecords(changes, now)]
}

/** Tells whether a plan would give somebody other access than the reviewed plan, although its records are the same. */
export function hasOtherAccess(reviewed: Pick<ReviewedPlan, 'access' | 'digest'>, now: Plan): boolean {
  // The digest of a plan covers its access. A reviewed plan may consist of its digest alone.
  if (now.digest === reviewed.digest) return false
  const gained = now.access.diff?.digest
  return gained !== undefined && gained !== reviewed.access?.diff?.digest
}

function notTheSame(): HoldfastError {
  const message =
    'the present plan differs from the reviewed one: plan again, or send the reviewed plan with its changes to see which records changed'
  return new HoldfastError('STALE_PLAN', message)
}

function movedRecords(reviewed: readonly ReviewedChange[], now: Plan): StaleRecord[] {
  const current = new Map(allChanges(now).map((change) => [recordId(change), change]))
  return reviewed.flatMap((change) => {
    const reason = staleReason(change, current.get(recordId(change)))
    return reason === null ? [] : [{ type: change.type, key: change.key, reason }]
  })
}

function addedRecords(reviewed: readonly ReviewedChange[], now: Plan): StaleRecord[] {
  const reviewedIds = new Set(reviewed.map(recordId))
  return allChanges(now)
    .filter((change) => !reviewedIds.has(recordId(change)))
    .map(({ type, key, reason = 'it belongs to a record that the plan changes' }) => ({
      type,
      key,
      reason: `${reason}, and it was made since`,
    }))
}

function staleReason(reviewed: ReviewedChange, now: Change | undefined): string | null {
  if (now === undefined) return 'nothing is left to do: somebody made the same change, or the document is another one'
  if (now.beforeDigest !== reviewed.beforeDigest)
    return `it ${now.beforeDigest === null ? 'was deleted' : reviewed.beforeDigest === null ? 'was created' : 'was changed'} since the plan was made`
  if (now.action !== reviewed.action || (now.from ?? null) !== (reviewed.from ?? null))
    return `the plan would ${reviewed.action} it, but now the action is ${now.action}`
  if (now.afterDigest !== reviewed.afterDigest) return 'the document describes it differently from the reviewed plan'
  return null
}
