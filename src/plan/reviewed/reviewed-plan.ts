import type { SourcePosition } from '../../lib/diagnostic.ts'
import { badInput, type HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { recordId } from '../../records/record-id.ts'
import { planDigest, type PlannedEffects } from '../plan-digest.ts'
import {
  type AccessDiff,
  type AccessPlan,
  type Change,
  type OwnPart,
  type Plan,
  type PlanReference,
  type ScopeRow,
} from '../plan.ts'
import { isRecordTypeName, type RecordKey } from '../../records/record-type.ts'

/**
 * The parts of an earlier plan that an apply needs: its effects. The bodies are computed again from the document. A
 * plan without its changes is only applied if the present plan has the same digest.
 */
export interface ReviewedPlan {
  readonly domain: string
  readonly digest: Plan['digest']
  readonly scope: readonly Pick<ScopeRow, 'type' | 'state'>[]
  readonly changes?: readonly ReviewedChange[]
  /** Left out by clients that know nothing about grants. The digest then tells whether the plan changes grants. */
  readonly access?: ReviewedAccess
  readonly references: readonly PlanReference[]
  /** Present if the changes are incomplete. */
  readonly withheld?: unknown
  /** Present if the plan covers only the changes of its document against a base. */
  readonly own?: Pick<OwnPart, 'scope' | 'waitsFor'>
  /** The records whose changes are no longer wanted. They do not count as reviewed. */
  readonly except?: readonly RecordKey[]
}

interface ReviewedAccess extends Pick<AccessPlan, 'state'> {
  readonly changes?: readonly ReviewedChange[]
  readonly diff?: Pick<AccessDiff, 'digest'>
}

export type ReviewedChange = Pick<
  Change,
  'type' | 'key' | 'from' | 'action' | 'secret' | 'beforeDigest' | 'afterDigest' | 'source'
>

/** Checks a plan that a client sent back. Its digest must match its content. */
export function readReviewedPlan(plan: unknown, domain: string): ReviewedPlan {
  if (!isObject(plan) || !isReviewedPlan(plan))
    throw badInput('this is not a plan; make one with `holdfast plan --out FILE`')
  if (plan['formatVersion'] !== 1) {
    throw badInput(
      `the plan has formatVersion ${JSON.stringify(plan['formatVersion'])}, and only 1 is understood; plan again`,
    )
  }
  if (plan.domain !== domain)
    throw badInput(`the plan was made for the domain ${JSON.stringify(plan.domain)}, not for ${JSON.stringify(domain)}`)
  const reviewed = withoutIncompleteChanges(plan)
  if (reviewed.changes !== undefined) checkDigest(reviewed, reviewed.changes)
  return reviewed
}

/** Drops the changes if the reader did not see all of them, because then only the digest says what was reviewed. */
function withoutIncompleteChanges(plan: ReviewedPlan): ReviewedPlan {
  if (plan.withheld === undefined) return plan
  const { changes: _, access, ...rest } = plan
  if (access === undefined) return rest
  const { changes: __, ...others } = access
  return { ...rest, access: others }
}

/**
 * Checks that the digest covers everything that an apply takes from a plan: the changes, their references, and the
 * part of the document that they belong to. The digest is what the reviewers agreed to.
 */
function checkDigest(reviewed: ReviewedPlan, changes: readonly ReviewedChange[]): void {
  if (planDigest(plannedIn(reviewed, changes)) !== reviewed.digest) throw alteredPlan()
}

/** Tells whether the changes of a plan do not match its digest. */
export function isAltered(plan: ReviewedPlan): boolean {
  const { changes, digest } = withoutIncompleteChanges(plan)
  if (changes === undefined) return false
  return planDigest(plannedIn(plan, changes)) !== digest
}

function plannedIn(reviewed: ReviewedPlan, changes: readonly ReviewedChange[]): PlannedEffects {
  return { ...reviewed, changes, access: reviewed.access ?? { state: 'unmanaged' } }
}

export function alteredPlan(): HoldfastError {
  return badInput('the plan was altered: its digest does not match its changes and their references; plan again')
}

/** All reviewed changes, including grants; undefined if only the digest is known. */
export function reviewedChanges({ changes, access }: ReviewedPlan): readonly ReviewedChange[] | undefined {
  return changes && [...changes, ...(access?.changes ?? [])]
}

/** The positions of the records in the files, as the client sent them. The platform does not have the files. */
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
  const { changes, diff } = access
  return (changes === undefined || isListOfKeys(changes)) && (diff === undefined || isReviewedDiff(diff))
}

function isReviewedDiff(diff: unknown): boolean {
  return isObject(diff) && (diff['digest'] === undefined || typeof diff['digest'] === 'string')
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

/** PostgreSQL could store longer paths, because the history is compressed. But pages show the whole history. */
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
