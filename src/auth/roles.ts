import { RIGHTS, type Right } from './scopes.ts'

// A role says what a person or machine user may do. A request may do what both the scopes of its token and the grants
// of its account allow: a scope limits an application that acts for someone, and a role limits the account itself.

/** The roles in ascending order. Each allows all that the roles before it allow. */
export const ROLES = ['viewer', 'operator', 'editor', 'administrator'] as const

export type Role = (typeof ROLES)[number]

/** The least role that gives each right; null if every account has the right. */
const LEAST_ROLE: { readonly [right in Right]: Role | null } = {
  'self:read': null,
  'self:write': null,
  'domain:read': null,
  'model:read': 'viewer',
  'model:plan': 'editor',
  'model:apply': 'editor',
  'model:write': 'editor',
  'access:apply': 'administrator',
  'access:admin': 'administrator',
  'data:read': 'viewer',
  'data:delete': 'editor',
  'datapoints:write': 'operator',
  'setpoints:write': 'operator',
}

export function leastRole(right: Right): Role | null {
  return LEAST_ROLE[right]
}

export interface RoleMeaning {
  /** The rights that this role adds to the rights of the role before, in words for users. */
  readonly allows: string
  readonly adds: readonly Right[]
}

export const ROLE_MEANINGS: { readonly [role in Role]: RoleMeaning } = {
  viewer: { allows: 'reads the data model and the data', adds: rightsWith('viewer') },
  operator: { allows: 'sends datapoints, sets setpoints and reports events', adds: rightsWith('operator') },
  editor: {
    allows:
      'changes the data model, by imports or single records, and deletes data; does not decide who may sign in and who may do what',
    adds: rightsWith('editor'),
  },
  administrator: { allows: 'decides who may sign in and who may do what', adds: rightsWith('administrator') },
}

function rightsWith(role: Role | null): readonly Right[] {
  return RIGHTS.filter((right) => LEAST_ROLE[right] === role)
}

/** The rights of every account, with any role or none. */
export const OWN_RIGHTS: readonly Right[] = rightsWith(null)

const RIGHTS_OF = new Map<Role, ReadonlySet<Right>>(
  ROLES.map((role, index) => [role, new Set(ROLES.slice(0, index + 1).flatMap((one) => ROLE_MEANINGS[one].adds))]),
)

export function rightsOfRole(role: Role): ReadonlySet<Right> {
  return RIGHTS_OF.get(role) ?? new Set()
}

/** Tells whether one role allows everything that another one allows. */
export function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other)
}

/** A role of an account. */
export interface HeldRole {
  readonly role: Role
  /** The key of the organization or unit within which the role counts; null for the whole domain. */
  readonly within: string | null
}

/** The rights that the roles give in the whole domain. */
export function rightsInDomain(held: readonly HeldRole[]): ReadonlySet<Right> {
  return new Set(held.flatMap(({ role, within }) => (within === null ? [...rightsOfRole(role)] : [])))
}

/** The keys of the units in which the roles give a right. */
export function unitsGiving(held: readonly HeldRole[], right: Right): string[] {
  return held.flatMap(({ role, within }) => (within !== null && rightsOfRole(role).has(right) ? [within] : []))
}
