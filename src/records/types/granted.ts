import type { Grant } from '../../../generated/settings.ts'
import { isAtLeast } from '../../auth/roles.ts'
import type { RecordBody, RecordKey } from '../record-type.ts'
import { referencesOf } from '../references.ts'
import { grant as grantType, SUBJECTS } from './grant.ts'

// These functions tell what grants give, and which of two gives more.

/** The grant in a canonical body that has passed the schema and the checks of its type. */
export function grantOf(body: RecordBody): Grant {
  return body as unknown as Grant
}

/** Tells whether `one` allows everything that `other` allows, to the same subject. */
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

/** Tells whether a node of the tree of organizations is another one or is below it. */
export function isWithin(unit: string, node: string): boolean {
  return node === unit || node.startsWith(`${unit}/`)
}

/** The user or machine user whom this grant makes administrator of the whole domain; null where it does not. */
export function administratorOf(body: RecordBody): RecordKey | null {
  const { role, user, machineUser } = grantOf(body)
  if (role !== 'administrator' || !isOfWholeDomain(grantOf(body))) return null
  if (user === undefined && machineUser === undefined) return null
  const [holder] = referencesOf(grantType, '', body)
  return holder === undefined ? null : { type: holder.type, key: holder.key }
}

/** The nodes of the tree of organizations that a grant names. */
export function unitsOf(body: RecordBody): string[] {
  return referencesOf(grantType, '', body)
    .filter(({ type }) => type === UNIT)
    .map(({ key }) => key)
}

/** The record type of organizations and of the units within them. */
export const UNIT = 'organizations'
