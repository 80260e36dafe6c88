import type { Grant } from '../../../generated/settings.ts'
import { isObject } from '../../lib/json.ts'
import type { RecordBody, RecordKey } from '../record-type.ts'
import { splitKey } from '../identity.ts'

// A grant may be given to all people of an organization, or count within the organization of each user.

/** The organization that a user belongs to; null for all other records. */
export function organizationOf(type: RecordKey['type'], body: RecordBody | null): string | null {
  const organization = type === 'users' ? body?.['organization'] : undefined
  const alias = isObject(organization) ? organization['alias'] : undefined
  return typeof alias === 'string' ? alias : null
}

/** Tells whether a grant gives something to a person because the person comes to the organization. */
export function isGivenByMembership(grant: Grant, organization: string, person: MovedPerson): boolean {
  if (grant.organization === organization) return true
  // A new user had no other organization where a role given to everyone counted until now.
  if (person.isNew || grant.withinOwnOrganization !== true) return false
  return grant.everyone === 'users' || grant.user === splitKey(person.key)[0]
}

export interface MovedPerson {
  readonly key: string
  readonly isNew: boolean
}
