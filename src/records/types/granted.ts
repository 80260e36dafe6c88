import type { Grant } from '../../../generated/settings.ts'
import { isAtLeast } from '../../auth/roles.ts'
import type { RecordBody, RecordKey } from '../record-type.ts'
import { referencesOf } from '../references.ts'
import { grant as grantType, SUBJECTS } from './grant.ts'

// What grants give, and which of two gives more.

/** The canonical body of a record of grants, which the schema and the checks of the type have seen. */
export function grantOf(body: RecordBody): Grant {
  return body as unknown as Grant
}

/** Whether whoever has the one can do nothing more with the other. */
export function givesAtLeast(one: Grant, other: Grant): boolean {
  return subjectOf(one) === subjectOf(other) && isAtLeast(one.role, other.role) && countsWherever(one, other)
}

function subjectOf(grant: Grant): string {
  return JSON.stringify(SUBJECTS.map((subject) => grant[subject] ?? null))
}

function countsWherever(one: Grant, other: Grant): boolean {
  if (isOfWholeDomain(one)) return true
  if (one.withinOwnOrganization === true) return other.withinOwnOrganization === true
  return other.within !== undefined && isWithin(one.within ?? '', other.within)
}

export function isOfWholeDomain({ within, withinOwnOrganization }: Grant): boolean {
  return within === undefined && withinOwnOrganization !== true
}

/** Whether a node of the tree of organizations is another one or below it. */
export function isWithin(place: string, node: string): boolean {
  return node === place || node.startsWith(`${place}/`)
}

/** The user or machine user who may do everything because of this grant; null where it gives less, or to others. */
export function administratorOf(body: RecordBody): RecordKey | null {
  const { role, user, machineUser } = grantOf(body)
  if (role !== 'administrator' || !isOfWholeDomain(grantOf(body))) return null
  if (user === undefined && machineUser === undefined) return null
  const [holder] = referencesOf(grantType, '', body)
  return holder === undefined ? null : { type: holder.type, key: holder.key }
}

/** The nodes of the tree of organizations that a grant is about. */
export function placesOf(body: RecordBody): string[] {
  return referencesOf(grantType, '', body)
    .filter(({ type }) => type === UNIT)
    .map(({ key }) => key)
}

/** Organizations, their units, and what is within them. */
export const UNIT = 'organizations'
