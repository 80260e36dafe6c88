import {
  allChanges,
  allRows,
  isReplaced,
  takesOwnership,
  type Change,
  type Plan,
  type ScopeRow,
} from '../../plan/plan.ts'
import { scopeAfter } from '../../plan/scope.ts'
import { recordId } from '../../records/record-id.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { RecordKey } from '../../records/record-type.ts'

/** The remaining changes of a plan that was made for older models. */
export interface LeftOver {
  /** The records that the platform has as the newest models want them. Changing them would undo later changes. */
  readonly except: readonly RecordKey[]
  /** Whether nothing is left of the plan. */
  readonly isNothing: boolean
}

/** Compares a plan with the plan of all differences between the newest models and the platform. */
export function leftOver(plan: Plan, newest: Plan): LeftOver {
  const open = new Set(allChanges(newest).flatMap(namesOf))
  const hidden = new Set((newest.withheld ?? []).map(({ type }) => type))
  const changes = allChanges(plan)
  // The job may have a secret that is not in Git, so the newest models were planned without it.
  const unknown = new Set((newest.notCompared ?? []).map(recordId))
  const isLeft = (change: Change) =>
    hidden.has(change.type) ||
    namesOf(change).some((name) => open.has(name)) ||
    (unknown.has(recordId(change)) && isOnlyOfSecret(change))
  const moving = new Set(changes.filter((change) => isLeft(change) && change.action === 'move').map(nameBefore))
  const except = changes
    .filter((change) => !isLeft(change) && !follows(change, moving))
    .map(({ type, key }) => ({ type, key }))
  const isAll = plan.withheld === undefined && changes.length > 0 && except.length === changes.length
  return { except, isNothing: isAll && !changesScope(plan, newest) }
}

/**
 * The records that the applied plan brought into the state that the newest models still want, and that have another
 * state on the platform now.
 */
export function undoneSince(plan: Plan, newest: Plan): RecordKey[] {
  const open = new Map(allChanges(newest).map((change) => [recordId(change), change]))
  return allChanges(plan)
    .filter((change) => {
      const wanted = open.get(recordId(change))
      return wanted !== undefined && hasSameResult(change, wanted)
    })
    .map(({ type, key }) => ({ type, key }))
}

/** Tells whether two changes have the same result. The digest of a creation is not keyed; other digests are. */
function hasSameResult(one: Change, other: Change): boolean {
  return (one.beforeDigest === null) === (other.beforeDigest === null) || one.afterDigest === null
    ? one.afterDigest === other.afterDigest
    : JSON.stringify(one.after) === JSON.stringify(other.after)
}

function isOnlyOfSecret({ type, action, secret, patch }: Change): boolean {
  const field = `/${recordType(type).secret}`
  return action === 'update' && isReplaced(secret) && patch.every(({ path }) => path === field)
}

/** Tells whether a record has another key only because one that it refers to moves. Both change, or none. */
function follows(change: Change, moving: ReadonlySet<string>): boolean {
  const { type, key, from = key, action, before } = change
  if (action !== 'move' || before === null) return false
  return referencesOf(recordType(type), from, before).some((reference) => moving.has(recordId(reference)))
}

function nameBefore({ type, key, from = key }: Change): string {
  return recordId({ type, key: from })
}

/** The names of a record before and after a change. */
function namesOf({ type, key, from = key }: Change): string[] {
  return [recordId({ type, key }), recordId({ type, key: from })]
}

/** Tells whether the newest models also want to change the management of a type that the plan changes. */
function changesScope(plan: Plan, newest: Plan): boolean {
  const changed = new Set(
    plan.own?.scope ??
      allRows(plan)
        .filter(isChanged)
        .map(({ type }) => type),
  )
  return allRows(newest).some((row) => changed.has(row.type) && isChanged(row))
}

function isChanged(row: ScopeRow): boolean {
  return scopeAfter(row) !== row.previously || takesOwnership(row)
}
