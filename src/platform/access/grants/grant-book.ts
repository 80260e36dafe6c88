import type { HeldRole } from '../../../auth/roles.ts'
import type { Grant } from '../../../../generated/settings.ts'
import { joinKey } from '../../../records/identity.ts'
import { subjectOf, subjectsOf, type Grantee } from '../../../records/types/grant.ts'

/** All grants of a domain at one moment, found by their subject. */
export class GrantBook {
  readonly #bySubject: ReadonlyMap<string, readonly Grant[]>

  constructor(grants: readonly Grant[]) {
    this.#bySubject = Map.groupBy(grants, subjectOf)
  }

  /** The roles of an account. A grant within the own organization gives nothing to a user without one. */
  heldBy(grantee: Grantee): HeldRole[] {
    const grants = subjectsOf(grantee).flatMap((subject) => this.#bySubject.get(subject) ?? [])
    return grants.flatMap(({ role, within, withinOwnOrganization }) => {
      if (withinOwnOrganization !== true) return [{ role, within: within ?? null }]
      return grantee.organization === null ? [] : [{ role, within: joinKey([grantee.organization]) }]
    })
  }
}
