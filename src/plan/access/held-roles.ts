import { type HeldRole, isAtLeast, type Role } from '../../auth/roles.ts'
import { keysAbove } from '../../records/identity.ts'

/** Roles that somebody holds together, found by where they count, because an account may hold thousands. */
export class HeldRoles {
  readonly #strongest = new Map<string | null, Role>()

  constructor(held: readonly HeldRole[]) {
    for (const { role, within } of held) if (!this.#allows(within, role)) this.#strongest.set(within, role)
  }

  /** Tells whether one of the roles allows all that another role allows, wherever that one counts. */
  include(other: HeldRole): boolean {
    return this.#allows(other.within, other.role) || this.#includeFromAbove(other)
  }

  /** Tells whether one of the roles includes another role and allows more, or counts in more units. */
  exceed(other: HeldRole): boolean {
    const there = this.#strongest.get(other.within)
    return (there !== undefined && !isAtLeast(other.role, there)) || this.#includeFromAbove(other)
  }

  #includeFromAbove({ role, within }: HeldRole): boolean {
    return within !== null && [null, ...keysAbove(within)].some((above) => this.#allows(above, role))
  }

  #allows(within: string | null, role: Role): boolean {
    const there = this.#strongest.get(within)
    return there !== undefined && isAtLeast(there, role)
  }
}

/** Leaves out the roles that another one of them includes. Of equal roles, the first stays. */
export function withoutIncluded(roles: readonly HeldRole[]): HeldRole[] {
  const all = new HeldRoles(roles)
  const places = new Set<string | null>()
  return roles.filter((role) => {
    if (places.has(role.within) || all.exceed(role)) return false
    places.add(role.within)
    return true
  })
}
