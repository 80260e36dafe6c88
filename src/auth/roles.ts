import type { Right } from './scopes.ts'

// A role says what a person or machine user may do. A request may do what both the scopes of its token and the grants
// of its account allow: a scope limits an application that acts for someone, and a role limits the account itself.

/** The roles in ascending order. Each allows all that the roles before it allow. */
export const ROLES = ['viewer', 'operator', 'editor', 'administrator'] as const

export type Role = (typeof ROLES)[number]

export interface RoleMeaning {
  /** What the role adds to the one before it, in words for users. */
  readonly allows: string
  readonly adds: readonly Right[]
}

export const ROLE_MEANINGS: Readonly<Record<Role, RoleMeaning>> = {
  viewer: {
    allows: 'reads the data model and the data',
    adds: ['domain:read', 'model:read', 'data:read'],
  },
  operator: {
    allows: 'sends datapoints, sets setpoints and tells events',
    adds: ['datapoints:write', 'setpoints:write'],
  },
  editor: {
    allows: 'changes the data model, by import or record by record, except who may sign in and who may do what',
    adds: ['model:plan', 'model:apply', 'model:write'],
  },
  administrator: {
    allows: 'decides who may sign in and who may do what',
    adds: ['access:apply', 'access:admin'],
  },
}

/** The rights of every account on its own data, with any role or none. */
export const OWN_RIGHTS: readonly Right[] = ['self:read', 'self:write']

const RIGHTS_OF = new Map<Role, ReadonlySet<Right>>(
  ROLES.map((role, index) => [role, new Set(ROLES.slice(0, index + 1).flatMap((one) => ROLE_MEANINGS[one].adds))]),
)

export function rightsOfRole(role: Role): ReadonlySet<Right> {
  return RIGHTS_OF.get(role) ?? new Set()
}

/** The least role that gives a right; null where every account has the right. */
export function leastRole(right: Right): Role | null {
  return ROLES.find((role) => ROLE_MEANINGS[role].adds.includes(right)) ?? null
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
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
