import { membership, recordId } from '../../records/record-id.ts'
import type { KeyedDigest } from '../keyed-digests.ts'
import type { LiveIndex } from '../live-state.ts'
import { reviewedChanges, type ReviewedChange, type ReviewedPlan } from './reviewed-plan.ts'
import type { StaleRecord } from './stale-records.ts'

/** The changes of a reviewed plan, divided into done, unwanted and remaining ones. */
export interface RemainingChanges {
  /** Undefined if the plan was sent without its changes. */
  readonly changes: readonly ReviewedChange[] | undefined
  /** The number of changes that are already made, by anybody. */
  readonly done: number
  /** The number of changes that the client no longer wants. */
  readonly dropped: number
}

/**
 * Leaves out changes of a reviewed plan that are already made, by anybody, and changes that the client no longer wants.
 */
export function remainingChanges(
  reviewed: ReviewedPlan,
  { digests }: Pick<LiveIndex, 'digests'>,
  keyed: KeyedDigest,
): RemainingChanges {
  const changes = reviewedChanges(reviewed)
  if (changes === undefined) return { changes, done: 0, dropped: 0 }
  const isDropped = membership(reviewed.except ?? [])
  const wanted = changes.filter((change) => !isDropped(change))
  const open = wanted.filter((change) => !isDone(change, digests, keyed))
  return { changes: open, done: wanted.length - open.length, dropped: changes.length - wanted.length }
}

function isDone(change: ReviewedChange, digests: LiveIndex['digests'], keyed: KeyedDigest): boolean {
  const { type, key, from = key, beforeDigest, afterDigest } = change
  const keys = digests.get(type)
  const digest = keys?.get(key)
  if (afterDigest === null) return digest === undefined
  if (digest === undefined || (from !== key && keys?.has(from) === true)) return false
  // The digest of a creation is not keyed.
  return (beforeDigest === null ? digest : keyed(digest)) === afterDigest
}

/** The waiting changes that the plan depends on and that the platform still does not have. */
export function stillWaiting(reviewed: ReviewedPlan, digests: ReadonlyMap<string, string>): StaleRecord[] {
  const { waitsFor = [] } = reviewed.own ?? {}
  return waitsFor
    .filter(({ type, key, from = key, digest }) => (digests.get(recordId({ type, key: from })) ?? null) === digest)
    .map(({ type, key }) => ({ type, key, code: WAITS, reason: WAITING }))
}

export const WAITS = 'waits'
const WAITING = 'the plan depends on an earlier change of it on the target branch, which waits to be applied'
