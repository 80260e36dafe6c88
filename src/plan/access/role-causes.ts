import { type HeldRole, isAtLeast } from '../../auth/roles.ts'
import { isBelowAny, keysAbove } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import { ACCESS, type RecordKey } from '../../records/record-type.ts'
import type { GivenRole } from '../../records/types/grant-book.ts'
import { grantKey, isWithin, UNIT } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'
import { HeldRoles, withoutIncluded } from './held-roles.ts'
import type { UnitMoves } from './unit-moves.ts'

interface ChangedRole extends HeldRole {
  readonly draft: Draft
  readonly at: number
}

/** Finds the changes by which roles are gained. */
export class RoleCauses {
  readonly #units: UnitMoves
  readonly #grants: ReadonlyMap<string, Draft>

  constructor(drafts: readonly Draft[], units: UnitMoves) {
    this.#units = units
    this.#grants = new Map(drafts.filter(({ type }) => type === ACCESS).map((draft) => [draft.key, draft]))
  }

  /** `given` has all roles of the account with their grants. `own` is the change of its own record. */
  of(gained: readonly HeldRole[], given: readonly GivenRole[], own: Draft | null): RecordKey[] {
    if (gained.length === 0) return []
    const changedIn = this.#changedIn(given)
    const found = gained.flatMap((role) => {
      const changed = placesOf(role)
        .flatMap((place) => changedIn.get(place) ?? [])
        .filter((one) => isAtLeast(one.role, role.role))
        .sort((a, b) => a.at - b.at)
        .map(({ draft }) => draft)
      const created = changed.filter(({ action }) => action === 'create')
      if (created.length > 0) return created
      if (own !== null) return [own]
      const moved = this.#moved(role)
      return moved.length > 0 ? moved : changed
    })
    return [...new Map(found.map(({ type, key }) => [recordId({ type, key }), { type, key }])).values()]
  }

  /** The roles of changed grants, by where they count. `at` is the place of a role in `given`. */
  #changedIn(given: readonly GivenRole[]): ReadonlyMap<string | null, readonly ChangedRole[]> {
    const changed = given.flatMap(({ role, within, grant }, at): ChangedRole[] => {
      const draft = this.#grants.get(grantKey(grant))
      return draft === undefined ? [] : [{ role, within, draft, at }]
    })
    return Map.groupBy(changed, ({ within }) => within)
  }

  /** The topmost of the moved units by which a role counts for more. */
  #moved({ within }: HeldRole): RecordKey[] {
    if (within === null) return []
    const keys = this.#units.moved
      .map(({ after }) => after)
      .filter((key) => isWithin(key, within) || isWithin(within, key))
    const all = new Set(keys)
    return keys.filter((key) => !isBelowAny(key, all)).map((key) => ({ type: UNIT, key }))
  }
}

/** The places of the grants that can include a role: its unit, each unit above, and null for the whole domain. */
function placesOf({ within }: HeldRole): readonly (string | null)[] {
  return within === null ? [null] : [null, within, ...keysAbove(within)]
}

/**
 * Finds the roles after a plan that allow more than each role before it, in the whole domain or in a unit. It leaves
 * out roles that another of these roles includes.
 */
export function gainedRoles(after: readonly HeldRole[], before: readonly HeldRole[], units: UnitMoves): HeldRole[] {
  const had = new HeldRoles(before)
  return withoutIncluded(after.flatMap((held) => gainedBy(held, had, units)))
}

function gainedBy({ role, within }: HeldRole, had: HeldRoles, units: UnitMoves): HeldRole[] {
  if (had.include({ role, within: null })) return []
  const hadIn = (key: string | null) => key !== null && had.include({ role, within: key })
  if (within === null || !hadIn(units.nearestBefore(within))) return [{ role, within }]
  return units
    .movedInto(within)
    .filter((unit) => !hadIn(unit.before))
    .map((unit) => ({ role, within: unit.after }))
}
