import { isAtLeast, type HeldRole } from '../../auth/roles.ts'
import { isWithin } from '../../records/types/granted.ts'
import type { UnitMoves } from './unit-moves.ts'

/**
 * The roles that somebody has after a plan where none of those before allowed as much, in the whole domain or in a unit of
 * the tree of organizations. Those that another one of them includes are left out.
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

/** Tells whether one role allows all that another one allows, wherever that one counts. */
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
