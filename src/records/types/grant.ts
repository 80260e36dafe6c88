import type { Grant, GrantedIdentities } from '../../../generated/settings.ts'
import { sortKeys, type Json, type JsonObject } from '../../lib/json.ts'
import { joinKey, keyOf } from '../identity.ts'
import { declareRecordType, type Report } from '../record-type.ts'

/** The fields that name the holder of a role. A grant has exactly one of them. */
const SUBJECTS = ['user', 'machineUser', 'organization', 'everyone', 'identities'] as const

/** A grant consists only of its key: with another role or unit, it is another grant. */
export const grant = declareRecordType({
  name: 'access',
  definition: 'Grant',
  identity: ['role'],
  identify: (body) => [body.role, ...subjectParts(body), ...withinParts(body)],
  comparedPart: (part, index, parts) => (index === 2 && parts[1] === 'user' ? part.toLowerCase() : part),
  references: [
    { path: ['user'], type: 'users', owner: true },
    { path: ['machineUser'], type: 'machineUsers', owner: true },
    { path: ['organization'], type: 'organizations', owner: true },
    { path: ['within'], type: 'organizations', owner: true, isKey: true },
  ],
  canonical: {
    user: (email) => String(email).toLowerCase(),
    identities: (written, { identities }) =>
      identities === undefined ? written : { ...identities, claims: canonicalClaims(identities) },
  },
  check: checkGrant,
})

/** The grants of a new domain. With them, the accounts of its data model can send and read data, and nothing more. */
export const DEFAULT_GRANTS = [
  { role: 'operator', everyone: 'users' },
  { role: 'operator', everyone: 'machineUsers' },
] as const satisfies readonly Grant[]

/** Tells whether these are exactly the grants of a new domain. */
export function isDefaultAccess(access: readonly JsonObject[]): boolean {
  const keys = new Set(access.map((body) => keyOf(grant, body)))
  return keys.size === DEFAULT_GRANTS.length && DEFAULT_GRANTS.every((body) => keys.has(keyOf(grant, body)))
}

/** The holder of a grant as one text. */
export function subjectOf(body: Grant): string {
  return joinKey(subjectParts(body))
}

/** The common beginning of the subjects of all identities of this provider and clientId. */
export function beginningOfSubjects({ issuer, clientId }: Pick<GrantedIdentities, 'issuer' | 'clientId'>): string {
  return `${joinKey(['identities', issuer, clientId])}/`
}

/** The facts that decide which grants apply to an account. */
export interface Grantee {
  readonly kind: 'person' | 'machine'
  readonly login: string
  /** Whether a record of the data model describes the account. */
  readonly isOfModel: boolean
  /** The alias of a user's organization or, without one, its name; null if the user has no organization. */
  readonly organization: string | null
  /** The subjects of the identity grants whose claims the account matched when it signed in. */
  readonly fits: readonly string[]
}

/** All subjects that apply to an account. */
export function subjectsOf({ kind, login, isOfModel, organization, fits }: Grantee): string[] {
  if (!isOfModel) return [...fits]
  if (kind === 'machine') return [joinKey(['machineUser', login]), joinKey(['everyone', 'machineUsers'])]
  const own = organization === null ? [] : [joinKey(['organization', organization])]
  return [joinKey(['user', login]), joinKey(['everyone', 'users']), ...own, ...fits]
}

function subjectParts(body: Grant): string[] {
  const { user, machineUser, organization, everyone, identities } = body
  if (user !== undefined) return ['user', user.toLowerCase()]
  if (machineUser !== undefined) return ['machineUser', machineUser]
  if (organization !== undefined) return ['organization', organization]
  if (everyone !== undefined) return ['everyone', everyone]
  if (identities === undefined) return []
  const claims = JSON.stringify(canonicalClaims(identities))
  return ['identities', identities.issuer, identities.clientId, claims]
}

function withinParts({ within, withinOwnOrganization }: Grant): string[] {
  if (withinOwnOrganization === true) return ['own-organization']
  return within === undefined ? [] : ['within', within]
}

/** The canonical form of claims. Order has no meaning, and a single value equals a list of one. */
function canonicalClaims({ claims }: GrantedIdentities): JsonObject {
  return sortKeys(
    Object.fromEntries(
      Object.entries<Json>(claims).map(([claim, values]) => [claim, [...new Set([values].flat())].sort()]),
    ),
  )
}

function checkGrant(body: Partial<Grant>, report: Report): void {
  const named = SUBJECTS.filter((subject) => body[subject] !== undefined)
  if (named.length !== 1) {
    const found = named.length === 0 ? 'none of them is given' : `${named.join(' and ')} are given`
    report('error', 'grant-subject', [], `a grant is given to exactly one of ${SUBJECTS.join(', ')}; ${found}`)
  }
  checkWithin(body, report)
  if (body.identities !== undefined) checkClaims(body.identities, report)
}

function checkWithin({ role, within, withinOwnOrganization, everyone, user }: Partial<Grant>, report: Report): void {
  if (role === 'administrator' && (within !== undefined || withinOwnOrganization === true)) {
    const path = within === undefined ? 'withinOwnOrganization' : 'within'
    const message =
      'an administrator decides about the whole domain; within an organization or unit, editor is the most'
    report('error', 'grant-place', [path], message)
  }
  if (withinOwnOrganization !== true) return
  if (within !== undefined)
    report('error', 'grant-place', ['within'], 'either `within` or `withinOwnOrganization` says where a grant counts')
  if (everyone !== 'users' && user === undefined) {
    const message = 'only users belong to an organization; write `within` with the key of an organization or unit'
    report('error', 'grant-place', ['withinOwnOrganization'], message)
  }
}

function checkClaims({ claims }: GrantedIdentities, report: Report): void {
  for (const [claim, values] of Object.entries(claims)) {
    const list = [values].flat()
    if (list.length > 0 && list.every((value) => typeof value === 'string' && value !== '')) continue
    const message = `the claim ${JSON.stringify(claim)} must be a text that is not empty, or a list of such texts`
    report('error', 'grant-claims', ['identities', 'claims', claim], message)
  }
}
