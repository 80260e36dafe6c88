import type { Grant } from '../../../generated/settings.ts'
import { joinKey, keyOf, splitKey } from '../identity.ts'
import type { RecordBody, RecordKey } from '../record-type.ts'
import { referencesOf } from '../references.ts'
import { grant as grantType } from './grant.ts'

// These functions tell what grants allow, and to whom.

/** The grant in a canonical body that has passed all checks. */
export function grantOf(body: RecordBody): Grant {
  return body as unknown as Grant
}

/** The canonical body of a grant. */
export function bodyOf(grant: Grant): RecordBody {
  return grant as unknown as RecordBody
}

/** The key of a grant. */
export function grantKey(grant: Grant): string {
  return keyOf(grantType, bodyOf(grant))
}

function isOfWholeDomain({ within, withinOwnOrganization }: Grant): boolean {
  return within === undefined && withinOwnOrganization !== true
}

/** Tells whether a node is the unit itself or is below it. */
export function isWithin(unit: string, node: string): boolean {
  return node === unit || node.startsWith(`${unit}/`)
}

/** The user or machine user whom this grant makes administrator of the whole domain; null if there is none. */
export function administratorOf(body: RecordBody): RecordKey | null {
  return grantOf(body).role === 'administrator' && isOfWholeDomain(grantOf(body)) ? holderOf(body) : null
}

/** The user or machine user whom a grant names; null if it names none. */
export function holderOf(body: RecordBody): RecordKey | null {
  const { user, machineUser } = grantOf(body)
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

/** Tells from a grant's key whether it names an unknown account, or identities, which only claims describe. */
export function namesUnknown(key: string, isKnown: (record: RecordKey) => boolean): boolean {
  const [, subject, name = ''] = splitKey(key)
  if (subject === 'identities') return true
  const field = grantType.references?.find(({ path }) => path[0] === subject)
  return field !== undefined && !isKnown({ type: field.type, key: joinKey([name]) })
}

/** The record type of organizations and of the units within them. */
export const UNIT = 'organizations'
