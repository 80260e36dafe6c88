import type { Grant } from '../../../generated/settings.ts'
import type { HeldRole } from '../../auth/roles.ts'
import { joinKey } from '../identity.ts'
import { subjectOf, subjectsOf, type Grantee } from './grant.ts'

/** All grants of a domain at one moment, by their subject. */
export class GrantBook {
  readonly #bySubject: ReadonlyMap<string, readonly Grant[]>

  constructor(grants: readonly Grant[]) {
    this.#bySubject = Map.groupBy(grants, subjectOf)
  }

  /** The roles of an account. */
  heldBy(grantee: Grantee): HeldRole[] {
    return this.givenTo(grantee).map(({ role, within }) => ({ role, within }))
  }

  /** The roles of an account, each with its grant. */
  givenTo(grantee: Grantee): GivenRole[] {
    return subjectsOf(grantee)
      .flatMap((subject) => this.#bySubject.get(subject) ?? [])
      .flatMap((grant) => givenBy(grant, grantee.organization))
  }
}

/** A role and its grant. */
export interface GivenRole extends HeldRole {
  readonly grant: Grant
}

/** A grant within the user's own organization has no effect for a user without an organization. */
function givenBy(grant: Grant, organization: string | null): GivenRole[] {
  const { role, within = null, withinOwnOrganization } = grant
  if (withinOwnOrganization !== true) return [{ role, within, grant }]
  return organization === null ? [] : [{ role, within: joinKey([organization]), grant }]
}
