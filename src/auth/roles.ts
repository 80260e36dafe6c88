import { RIGHTS, type Right } from './scopes.ts'

// What a person or machine user may do. A request may do what its token's scopes and the grants of its account both
// allow: a scope limits what an application does for somebody, a role what that somebody may do at all.

/** From the least to the most: each allows all that those before it allow. */
export const ROLES = ['viewer', 'operator', 'editor', 'administrator'] as const

export type Role = (typeof ROLES)[number]

/** The least role that gives each right; null: every account has it, whatever it was granted. */
const LEAST_ROLE: { readonly [right in Right]: Role | null } = {
  'self:read': null,
  'self:write': null,
  'domain:read': 'viewer',
  'model:read': 'viewer',
  'model:plan': 'editor',
  'model:apply': 'editor',
  'model:write': 'editor',
  'access:apply': 'administrator',
  'access:admin': 'administrator',
  'data:read': 'viewer',
  'datapoints:write': 'operator',
  'setpoints:write': 'operator',
}

export function leastRole(right: Right): Role | null {
  return LEAST_ROLE[right]
}

export interface RoleMeaning {
  /** What it adds to the role before it, for people. */
  readonly allows: string
  readonly adds: readonly Right[]
}

export const ROLE_MEANINGS: { readonly [role in Role]: RoleMeaning } = {
  viewer: { allows: 'reads the data model and the data', adds: rightsWith('viewer') },
  operator: { allows: 'sends datapoints, sets setpoints and tells events', adds: rightsWith('operator') },
  editor: {
    allows: 'changes the data model, by import or record by record, except who may sign in and who may do what',
    adds: rightsWith('editor'),
  },
  administrator: { allows: 'decides who may sign in and who may do what', adds: rightsWith('administrator') },
}

function rightsWith(role: Role | null): readonly Right[] {
  return RIGHTS.filter((right) => LEAST_ROLE[right] === role)
}

/** What every account may do about itself, whatever it was granted. */
export const OWN_RIGHTS: readonly Right[] = rightsWith(null)

const RIGHTS_OF = new Map<Role, ReadonlySet<Right>>(
  ROLES.map((role, index) => [role, new Set(ROLES.slice(0, index + 1).flatMap((one) => ROLE_MEANINGS[one].adds))]),
)

export function rightsOfRole(role: Role): ReadonlySet<Right> {
  return RIGHTS_OF.get(role) ?? new Set()
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

/** Whether one role allows all that another one does. */
export function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other)
}

/** A role that somebody holds. */
export interface HeldRole {
  readonly role: Role
  /** The key of the organization or unit within which it counts; null: the whole domain. */
  readonly within: string | null
}

/** The rights that held roles give in the whole domain. */
export function rightsInDomain(held: readonly HeldRole[]): ReadonlySet<Right> {
  return new Set(held.flatMap(({ role, within }) => (within === null ? [...rightsOfRole(role)] : [])))
}

/** Where else a right counts: the keys of units. */
export function unitsGiving(held: readonly HeldRole[], right: Right): string[] {
  return held.flatMap(({ role, within }) => (within !== null && rightsOfRole(role).has(right) ? [within] : []))
}
