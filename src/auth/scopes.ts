// Operations need rights: each GraphQL field and REST route names one. The scopes of a token give it rights. A token
// has at most the scopes of the consumer, method or rule that it was issued for.

/** The rights that an operation can need. */
export const RIGHTS = [
  'self:read',
  'self:write',
  'domain:read',
  'model:read',
  'model:plan',
  'model:apply',
  'model:write',
  'access:apply',
  'access:admin',
  'data:read',
  'data:delete',
  'datapoints:write',
  'setpoints:write',
] as const

export type Right = (typeof RIGHTS)[number]

/** The rights that have no scope of their own, because other scopes include them. */
type UnnamedRight = 'self:read' | 'self:write' | 'domain:read' | 'access:apply'

export type Scope = 'openid' | 'email' | 'profile' | 'service' | Exclude<Right, UnnamedRight>

export interface ScopeMeaning {
  /** The meaning in words, for the consent page and the documentation. */
  readonly allows: string
  readonly rights: readonly Right[]
}

export const SCOPES: { readonly [scope in Scope]: ScopeMeaning } = {
  openid: { allows: 'Know who you are', rights: ['self:read'] },
  email: { allows: 'See your e-mail address', rights: ['self:read'] },
  profile: { allows: 'See your name', rights: ['self:read'] },
  service: { allows: 'Use everything that the API offers', rights: RIGHTS },
  'model:read': { allows: 'Read the data model and its history', rights: ['self:read', 'domain:read', 'model:read'] },
  'model:plan': { allows: 'Plan changes of the data model', rights: ['self:read', 'domain:read', 'model:plan'] },
  'model:apply': {
    allows:
      'Change the data model by import; an administrator can also give every right to anybody with it, even to itself',
    rights: ['self:read', 'domain:read', 'model:read', 'model:plan', 'model:apply', 'access:apply'],
  },
  'model:write': {
    allows: 'Change single records of the data model, except who may sign in',
    rights: ['self:read', 'domain:read', 'model:read', 'model:write'],
  },
  'access:admin': {
    allows: 'Administer who may sign in and who may do what: it can give every right to anybody, even to itself',
    rights: ['self:read', 'domain:read', 'model:read', 'access:admin'],
  },
  'data:read': {
    allows: 'Read systems, datapoints, setpoints and events',
    rights: ['self:read', 'domain:read', 'data:read'],
  },
  'data:delete': {
    allows: 'Delete systems, components, events and datapoints for ever',
    rights: ['self:read', 'data:delete'],
  },
  'datapoints:write': {
    allows: 'Send datapoints and events, and carry out setpoints',
    rights: ['self:read', 'datapoints:write'],
  },
  'setpoints:write': { allows: 'Set setpoints', rights: ['self:read', 'setpoints:write'] },
}

/** The scopes of a consumer that lists none (the specification defines this default). */
export const DEFAULT_SCOPES: readonly Scope[] = ['openid', 'service']

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text)
}

/** The rights that several scopes give together. Unknown scopes give none. */
export function rightsOf(scopes: Iterable<string>): ReadonlySet<Right> {
  return new Set([...scopes].flatMap((scope) => (isScope(scope) ? SCOPES[scope].rights : [])))
}

/** The scopes that only tell who the account is. */
export const IDENTIFYING: readonly string[] = ['openid', 'email', 'profile']

/**
 * Returns the scopes that both lists allow. A list allows the scopes that it names, and scopes that give only rights
 * which it gives too. For example, `service` and `data:read` have `data:read` in common.
 */
export function commonScopes(some: readonly string[], others: readonly string[]): readonly string[] {
  const lists = [some, others].map((scopes) => ({ scopes, rights: rightsOf(scopes) }))
  return [...new Set([...some, ...others])].filter((scope) =>
    lists.every(
      ({ scopes, rights }) =>
        scopes.includes(scope) ||
        (isScope(scope) && !IDENTIFYING.includes(scope) && rightsOf([scope]).isSubsetOf(rights)),
    ),
  )
}

/** Whether devices may have a right, for their own system only. They send measurements and read setpoints. */
const IS_FOR_DEVICES: { readonly [right in Right]: boolean } = {
  'self:read': true,
  'self:write': false,
  'domain:read': true,
  'model:read': false,
  'model:plan': false,
  'model:apply': false,
  'model:write': false,
  'access:apply': false,
  'access:admin': false,
  'data:read': true,
  'data:delete': false,
  'datapoints:write': true,
  'setpoints:write': false,
}

/** The rights that scopes give to an account that is bound to a system. */
export function deviceRightsOf(scopes: Iterable<string>): ReadonlySet<Right> {
  const rights = rightsOf(scopes)
  return new Set(RIGHTS.filter((right) => IS_FOR_DEVICES[right] && rights.has(right)))
}

/** Returns the scopes that give a right, the narrowest first. */
export function scopesGiving(right: Right): Scope[] {
  const giving = Object.keys(SCOPES).filter(
    (scope): scope is Scope => isScope(scope) && SCOPES[scope].rights.includes(right),
  )
  return giving.sort((a, b) => SCOPES[a].rights.length - SCOPES[b].rights.length)
}
