import { recordId } from '../../records/record-id.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import { changedFields } from './record-fields.ts'
import type { Change } from '../plan.ts'
import { counted, formatCount, nameSome } from '../../lib/counted.ts'
import { recordName } from './change-notes.ts'

/** A change, and those that are only made because of it. */
export interface Root {
  readonly change: Change
  readonly followers: readonly Change[]
}

/**
 * Puts deletes and moves under the change that causes them. For example, a link is deleted with its service, whether or
 * not the document still has it. Changes that a guard stops, and changes of records that somebody edited, stay
 * separate, because reviewers must see them.
 */
export function rootsOf(changes: readonly Change[]): Root[] {
  const ownerOf = ownersAmong(changes)
  const groups = Map.groupBy(changes, (change) => rootOf(change, ownerOf))
  return changes.flatMap((change) => {
    const group = groups.get(change)
    return group === undefined ? [] : [{ change, followers: group.filter((other) => other !== change) }]
  })
}

type OwnerOf = (change: Change) => Change | null

/** A link has two owners. The owner with more followers counts, so that the list is short. */
function ownersAmong(changes: readonly Change[]): OwnerOf {
  const byId = new Map(changes.map((change) => [recordId(change), change]))
  const candidates = new Map(changes.map((change) => [change, candidatesFor(change, byId)]))
  const weights = new Map<Change, number>()
  for (const owner of [...candidates.values()].flat()) weights.set(owner, (weights.get(owner) ?? 0) + 1)
  const weightOf = (change: Change) => weights.get(change) ?? 0
  return (change) => candidates.get(change)?.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? null
}

function rootOf(change: Change, ownerOf: OwnerOf): Change {
  const passed = new Set([change])
  for (let root = change; ;) {
    const next = ownerOf(root)
    if (next === null || passed.has(next)) return root
    passed.add(next)
    root = next
  }
}

/** The changes in the plan that this one may follow from. */
function candidatesFor(change: Change, byId: ReadonlyMap<string, Change>): Change[] {
  const { action, cause, guards } = change
  if (guards.length > 0 || cause !== 'you') return []
  if (action !== 'delete' && !(action === 'move' && changedFields(change).length === 0)) return []
  return ownerIds(change).flatMap((id) => {
    const found = byId.get(id)
    return found !== undefined && found !== change && found.action === action ? [found] : []
  })
}

function ownerIds({ type, key, action, before, after }: Change): string[] {
  const body = action === 'delete' ? before : after
  return referencesOf(recordType(type), key, body ?? {}).flatMap((reference) =>
    reference.owner ? [recordId(reference)] : [],
  )
}

/** The change without the referrers that are among its followers. */
export function withoutFollowers({ change, followers }: Root): Change {
  const { referrers } = change
  if (referrers === undefined || followers.length === 0) return change
  const said = new Set(followers.map(({ type, key, from = key }) => `${type}/${from}`))
  const { referrers: _, ...rest } = change
  const others = referrers.filter((referrer) => !said.has(recordId(referrer)))
  return others.length === 0 ? rest : { ...rest, referrers: others }
}

const MOST_NAMED = 5

/** `with it: 1,000 characteristicServiceLinks`, or their names if they are few. */
export function followersText({ followers }: Root, mostNamed = MOST_NAMED): string | null {
  if (followers.length === 0) return null
  const names = followers.length > mostNamed ? countsByType(followers) : followers.map(recordName).join(', ')
  return `with it: ${names}`
}

/** `1,684 characteristicServiceLinks, 82 characteristics` */
function countsByType(changes: readonly Change[]): string {
  const groups = [...Map.groupBy(changes, ({ type }) => type)].map(([type, { length }]) => ({ type, length }))
  return nameSome(
    groups.sort((a, b) => b.length - a.length).map(({ type, length }) => `${formatCount(length)} ${type}`),
    8,
  )
}

export function moreText(changes: readonly Change[]): string {
  return `… and ${counted(changes.length, 'more', 'more')}: ${countsByType(changes)}`
}
