import { parentKey, rootOf } from '../../records/identity.ts'
import { ACCESS } from '../../records/record-type.ts'
import {
  givesAtLeast,
  givesAtLeastToEveryone,
  grantOf,
  holderOf,
  isOfWholeDomain,
  isWithin,
  UNIT,
} from '../../records/types/granted.ts'
import { grantSentence } from '../../records/types/grant-text.ts'
import { isGivenByMembership, organizationOf } from '../../records/types/membership.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { Grants } from './grants-after.ts'
import { recordId } from '../../records/record-id.ts'

/** Sentences by `type/key`: who could do more than before because of the change, and where. */
export type Widening = ReadonlyMap<string, string>

/**
 * Tells whether any change is of a kind that could give someone more. Most plans have none, and then no grant is
 * read.
 */
export function mayWiden(drafts: readonly Draft[]): boolean {
  return drafts.some(
    (draft) => isNewGrant(draft) || isMovedUnit(draft) || organizationOf(draft.type, draft.after) !== null,
  )
}

/** Finds what widens access: new grants, people who change organization, and units that move below others. */
export function findWidening(drafts: readonly Draft[], grants: Grants): Widening {
  return new Map([...newGrants(drafts, grants), ...newMembers(drafts, grants), ...movedUnits(drafts, grants)])
}

type Found = (readonly [string, string])[]

/**
 * A grant that replaces one that gave at least as much to the same people, or to everyone among them, does not widen
 * access. Who is new had nothing that everyone had.
 */
function newGrants(drafts: readonly Draft[], { taken }: Grants): Found {
  const created = new Set(drafts.filter(({ action }) => action === 'create').map(recordId))
  return drafts.filter(isNewGrant).flatMap((draft) => {
    const grant = grantOf(draft.after ?? {})
    const holder = holderOf(draft.after ?? {})
    const isOneOfAll = holder !== null && !created.has(recordId(holder))
    const had = taken.map(grantOf)
    if (had.some((one) => givesAtLeast(one, grant) || (isOneOfAll && givesAtLeastToEveryone(one, grant)))) return []
    const where = isOfWholeDomain(grant) ? ' in the whole domain' : ''
    return [[recordId(draft), grantSentence(grant, 'would become') + where] as const]
  })
}

function newMembers(drafts: readonly Draft[], { staying }: Grants): Found {
  return drafts.flatMap((draft) => {
    const organization = organizationOf(draft.type, draft.after)
    if (organization === null || organization === organizationOf(draft.type, draft.before)) return []
    const person = { key: draft.key, isNew: draft.before === null }
    const given = staying
      .map(({ after }) => grantOf(after))
      .filter((grant) => isGivenByMembership(grant, organization, person))
    if (given.length === 0) return []
    return [[recordId(draft), `${draft.key} would come to ${organization}, where ${sentences(given)}`] as const]
  })
}

/** Reports only the topmost of the units that move together. */
function movedUnits(drafts: readonly Draft[], { staying }: Grants): Found {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  for (const draft of drafts.filter(isMovedUnit)) {
    const { key, from = key } = draft
    seen.add(key)
    if (seen.has(parentKey(key) ?? '')) continue
    const gaining = staying.filter(({ before, after }) => {
      const [was, is] = [grantOf(before).within, grantOf(after).within]
      if (grantOf(after).withinOwnOrganization === true) return rootOf(key) !== rootOf(from)
      return is !== undefined && isWithin(is, key) && !(was !== undefined && isWithin(was, from))
    })
    if (gaining.length === 0) continue
    const given = gaining.map(({ after }) => grantOf(after))
    found.set(recordId(draft), `it would come to where ${sentences(given)}`)
  }
  return [...found]
}

const MOST_NAMED = 3

function sentences(grants: readonly ReturnType<typeof grantOf>[]): string {
  const named = grants.slice(0, MOST_NAMED).map((grant) => grantSentence(grant, 'is'))
  const more = grants.length - named.length
  return more === 0 ? named.join(', ') : `${named.join(', ')}, and ${more} more grants count`
}

function isNewGrant({ type, action }: Draft): boolean {
  return type === ACCESS && action === 'create'
}

function isMovedUnit({ type, action }: Draft): boolean {
  return type === UNIT && action === 'move'
}
