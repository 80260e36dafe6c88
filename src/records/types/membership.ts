import type { Grant } from '../../../generated/settings.ts'
import { isObject } from '../../lib/json.ts'
import type { RecordBody, RecordKey } from '../record-type.ts'
import { splitKey } from '../identity.ts'

// A grant may be given to all people of an organization, or count within the one that somebody belongs to.

/** The organization that a record belongs to as a person does; null for all others. */
export function organizationOf(type: RecordKey['type'], body: RecordBody | null): string | null {
  const organization = type === 'users' ? body?.['organization'] : undefined
  const alias = isObject(organization) ? organization['alias'] : undefined
  return typeof alias === 'string' ? alias : null
}

/** Whether a grant gives something to a person because of the organization that the person comes to. */
export function isGivenByMembership(grant: Grant, organization: string, person: MovedPerson): boolean {
  if (grant.organization === organization) return true
  // Whoever is new has no other organization, in which a role that everybody has would count now.
  if (person.isNew || grant.withinOwnOrganization !== true) return false
  return grant.everyone === 'users' || grant.user === splitKey(person.key)[0]
}

export interface MovedPerson {
  readonly key: string
  readonly isNew: boolean
}
