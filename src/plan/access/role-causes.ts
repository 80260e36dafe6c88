import { type HeldRole, isAtLeast } from '../../auth/roles.ts'
import { recordId } from '../../records/record-id.ts'
import { ACCESS, type RecordKey } from '../../records/record-type.ts'
import type { GivenRole } from '../../records/types/grant-book.ts'
import { grantKey, isWithin, UNIT } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { UnitMoves } from './unit-moves.ts'

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
    const found = gained.flatMap((role) => {
      const changed = given
        .filter((one) => includes(one, role))
        .flatMap(({ grant }) => this.#grants.get(grantKey(grant)) ?? [])
      const created = changed.filter(({ action }) => action === 'create')
      if (created.length > 0) return created
      if (own !== null) return [own]
      const moved = this.#moved(role)
      return moved.length > 0 ? moved : changed
    })
    return [...new Map(found.map(({ type, key }) => [recordId({ type, key }), { type, key }])).values()]
  }

  /** The topmost of the moved units that make a role count for more. */
  #moved({ within }: HeldRole): RecordKey[] {
    if (within === null) return []
    const keys = this.#units.moved
      .map(({ after }) => after)
      .filter((key) => isWithin(key, within) || isWithin(within, key))
    return keys
      .filter((key) => !keys.some((other) => other !== key && isWithin(other, key)))
      .map((key) => ({ type: UNIT, key }))
  }
}

/**
 * Finds the roles after a plan that allow more than each role before it, in the whole domain or in a unit. It leaves
 * out roles that another of these roles includes.
 */
export function gainedRoles(after: readonly HeldRole[], before: readonly HeldRole[], units: UnitMoves): HeldRole[] {
  return withoutIncluded(after.flatMap((held) => gainedBy(held, before, units)))
}

function gainedBy({ role, within }: HeldRole, before: readonly HeldRole[], units: UnitMoves): HeldRole[] {
  const strong = before.filter((one) => isAtLeast(one.role, role))
  if (strong.some((one) => one.within === null)) return []
  const hadIn = (key: string | null) =>
    key !== null && strong.some((one) => one.within !== null && isWithin(one.within, key))
  if (within === null || !hadIn(units.nearestBefore(within))) return [{ role, within }]
  return units
    .movedInto(within)
    .filter((unit) => !hadIn(unit.before))
    .map((unit) => ({ role, within: unit.after }))
}

/** Tells whether one role allows everything that another role allows, wherever the other role counts. */
export function includes(one: HeldRole, other: HeldRole): boolean {
  if (!isAtLeast(one.role, other.role)) return false
  return one.within === null || (other.within !== null && isWithin(one.within, other.within))
}

export function withoutIncluded(roles: readonly HeldRole[]): HeldRole[] {
  return roles.filter(
    (role, index) =>
      !roles.some((other, at) => at !== index && includes(other, role) && (!includes(role, other) || at < index)),
  )
}
