import type { SourcePosition } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { recordId } from '../../records/record-id.ts'
import { olderPlanDigest, planDigest, type PlannedEffects } from '../../plan/plan-digest.ts'
import {
  allChanges,
  type AccessPlan,
  type Change,
  type OwnPart,
  type Plan,
  type PlanReference,
  type ScopeRow,
} from '../../plan/plan.ts'
import { isRecordTypeName, type RecordKey } from '../../records/record-type.ts'

/**
 * The parts of an earlier plan that an apply needs: its effects. The bodies are computed again from the document. A
 * plan without its changes is only applied where the present plan has the same digest.
 */
export interface ReviewedPlan {
  readonly domain: string
  readonly digest: Plan['digest']
  readonly scope: readonly Pick<ScopeRow, 'type' | 'state'>[]
  readonly changes?: readonly ReviewedChange[]
  /**
   * Left out by clients that know nothing about grants. The digest then tells whether there was something about them.
   */
  readonly access?: ReviewedAccess
  readonly references: readonly PlanReference[]
  /** Present where the changes are incomplete. */
  readonly withheld?: unknown
  /** Present where only what its document changes of another one was planned. */
  readonly own?: Pick<OwnPart, 'scope' | 'waitsFor'>
  /** The records whose changes are not wanted any more. They are no part of what was reviewed. */
  readonly except?: readonly RecordKey[]
}

interface ReviewedAccess extends Pick<AccessPlan, 'state'> {
  readonly changes?: readonly ReviewedChange[]
}

export type ReviewedChange = Pick<
  Change,
  'type' | 'key' | 'from' | 'action' | 'beforeDigest' | 'afterDigest' | 'source'
>

/** Checks a plan that a client sent back. Its digest must match its content. */
export function readReviewedPlan(plan: unknown, domain: string): ReviewedPlan {
  if (!isObject(plan) || !isReviewedPlan(plan))
    throw invalid('this is not a plan; make one with `holdfast plan --out FILE`')
  if (plan['formatVersion'] !== 1) {
    throw invalid(
      `the plan has formatVersion ${JSON.stringify(plan['formatVersion'])}, and only 1 is understood; plan again`,
    )
  }
  if (plan.domain !== domain)
    throw invalid(`the plan was made for the domain ${JSON.stringify(plan.domain)}, not for ${JSON.stringify(domain)}`)
  const reviewed = withoutIncompleteChanges(plan)
  if (reviewed.changes !== undefined) checkDigest(reviewed, reviewed.changes)
  return reviewed
}

/**
 * Drops the changes where the reader was not shown all of them, because then only the digest says what was reviewed.
 */
function withoutIncompleteChanges(plan: ReviewedPlan): ReviewedPlan {
  if (plan.withheld === undefined) return plan
  const { changes: _, access, ...rest } = plan
  return access === undefined ? rest : { ...rest, access: { state: access.state } }
}

/**
 * The digest is what was reviewed, so all that an apply takes from a plan must be covered by it: the changes, what they
 * refer to, and of which part of a document they are.
 */
function checkDigest(reviewed: ReviewedPlan, changes: readonly ReviewedChange[]): void {
  const planned = plannedIn(reviewed, changes)
  if (planDigest(planned) === reviewed.digest) return
  if (olderPlanDigest(planned) === reviewed.digest)
    throw invalid(
      'the plan was made by an older release, whose digest does not cover what the plan refers to, so nobody can tell whether that was altered; plan again',
    )
  throw alteredPlan()
}

/**
 * Tells whether the changes of a plan are others than its digest says. It does not know the release of the platform,
 * so the digest may be one of an older release.
 */
export function isAltered(plan: ReviewedPlan): boolean {
  const { changes, digest } = withoutIncompleteChanges(plan)
  if (changes === undefined) return false
  const planned = plannedIn(plan, changes)
  return planDigest(planned) !== digest && olderPlanDigest(planned) !== digest
}

function plannedIn(reviewed: ReviewedPlan, changes: readonly ReviewedChange[]): PlannedEffects {
  return { ...reviewed, changes, access: reviewed.access ?? { state: 'unmanaged' } }
}

export function alteredPlan(): HoldfastError {
  return invalid(
    'the plan was altered after it was made: its digest does not match its changes and what they refer to; plan again',
  )
}

/** All reviewed changes, including grants; undefined where only the digest is known. */
export function reviewedChanges({ changes, access }: ReviewedPlan): readonly ReviewedChange[] | undefined {
  return changes && [...changes, ...(access?.changes ?? [])]
}

/** Where the records are described, as far as the client said; it has the files, and the platform does not. */
export function sourcesOf(reviewed: ReviewedPlan): ReadonlyMap<string, SourcePosition> {
  const changes = reviewedChanges(reviewed) ?? []
  return new Map(changes.flatMap((change) => (change.source === undefined ? [] : [[recordId(change), change.source]])))
}

function isReviewedPlan(plan: { [key: string]: unknown }): plan is { [key: string]: unknown } & ReviewedPlan {
  const { domain, digest, scope, changes, access, references, own, except } = plan
  return (
    (own === undefined || isOwnPart(own)) &&
    (except === undefined || isListOfKeys(except)) &&
    typeof domain === 'string' &&
    typeof digest === 'string' &&
    (changes === undefined || isListOfKeys(changes)) &&
    isListOfKeys(references) &&
    (access === undefined || isReviewedAccess(access)) &&
    Array.isArray(scope) &&
    scope.every((row) => isObject(row) && isTypeName(row['type']) && typeof row['state'] === 'string')
  )
}

function isOwnPart(own: unknown): boolean {
  return isObject(own) && Array.isArray(own['scope']) && own['scope'].every(isTypeName) && isListOfKeys(own['waitsFor'])
}

function isReviewedAccess(access: unknown): boolean {
  if (!isObject(access) || typeof access['state'] !== 'string') return false
  return access['changes'] === undefined || isListOfKeys(access['changes'])
}

function isListOfKeys(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.every(
      (item) =>
        isObject(item) && isTypeName(item['type']) && typeof item['key'] === 'string' && isSource(item['source']),
    )
  )
}

/** PostgreSQL would not mind: the history is compressed. But it is shown, and as a whole. */
const LONGEST_PATH = 4_096

function isSource(source: unknown): boolean {
  if (source === undefined) return true
  if (!isObject(source)) return false
  const { file, line, column } = source
  return typeof file === 'string' && file.length <= LONGEST_PATH && Number.isInteger(line) && Number.isInteger(column)
}

function isTypeName(name: unknown): boolean {
  return typeof name === 'string' && isRecordTypeName(name)
}

function invalid(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}

/** A record that has changed since the plan was made. */
export interface StaleRecord {
  readonly type: string
  readonly key: string
  readonly reason: string
  /** Given where the reason is of a kind of its own. */
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
 * Compares the reviewed changes with those of the same document now. Both must agree change by change. `changes` are
 * those of the reviewed ones that are still to be made.
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

function notTheSame(): HoldfastError {
  const message =
    'the plan of now is not the reviewed one: plan again, or send the reviewed plan with its changes to learn whether any of its records has moved'
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
    return `the plan would ${reviewed.action} it, now it is a case of ${now.action}`
  if (now.afterDigest !== reviewed.afterDigest)
    return 'the document describes it in another way than the reviewed plan does'
  return null
}
