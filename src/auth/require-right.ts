import { HoldfastError } from '../lib/errors.ts'
import type { FederationRule } from './token-rules.ts'
import { leastRole, rightsInDomain, type HeldRole, type Role } from './roles.ts'
import { rightsOf, scopesGiving, type Right, type Scope } from './scopes.ts'

/** The account and token that request an operation, with their rights. */
export interface Caller {
  readonly scopes: readonly string[]
  /** The rights in the whole domain, which both the scopes and the roles allow. */
  readonly rights: ReadonlySet<Right>
  /** The rights within some organizations or units. */
  readonly rightsWithin: { has(right: Right): boolean }
  readonly roles: readonly HeldRole[]
  /** Whether the account belongs to a device, which is bound to one system. */
  readonly isDevice: boolean
  /** The rules for jobs of the repository that the token comes from; absent for all others. */
  readonly jobRules?: readonly FederationRule[]
}

export interface MissingRight {
  /** Scopes that each would be enough for the token, the narrowest first; empty if the account lacks the right. */
  readonly enough: readonly Scope[]
  /** The least role that would be enough for the account; null if the token lacks the right. */
  readonly role: Role | null
  readonly message: string
}

/**
 * Returns the missing right; null if the caller has it. `keepsWithin` means that the operation itself makes sure that a
 * role within an organization affects nothing outside of it. The message names the scopes of the token, which are no
 * secret to its holder.
 */
export function missingRight(what: string, right: Right, caller: Caller, keepsWithin = false): MissingRight | null {
  if (caller.rights.has(right) || (keepsWithin && caller.rightsWithin.has(right))) return null
  return rightsOf(caller.scopes).has(right) ? missingRole(what, right, caller) : missingScope(what, right, caller)
}

function missingScope(what: string, right: Right, { scopes }: Caller): MissingRight {
  const enough = scopesGiving(right)
  const has = scopes.length === 0 ? 'no scope' : `only ${scopes.join(' ')}`
  const message = `${what} needs a token with the scope ${enough.join(' or ')}; this one has ${has}`
  return { enough, role: null, message }
}

function missingRole(what: string, right: Right, { isDevice, rightsWithin, roles }: Caller): MissingRight {
  if (isDevice) {
    const message = `${what} is not for devices: this account is bound to a system and may only send and read its data`
    return { enough: [], role: null, message }
  }
  if (rightsInDomain(roles).has(right)) {
    const message = `${what} is administration, and an authentication method without emailDomains gives none: sign in another way, or let an administrator name these domains`
    return { enough: [], role: null, message }
  }
  const role = leastRole(right)
  const where = rightsWithin.has(right) ? ' in the whole domain' : ''
  const message = `${what} needs the role ${role ?? 'of another account'}${where}; this account has ${describeRoles(roles)}`
  return { enough: [], role, message: `${message}. An administrator can grant it.` }
}

export function describeRoles(roles: readonly HeldRole[]): string {
  const texts = roles.map(({ role, within }) => (within === null ? role : `${role} within ${within}`))
  return texts.length === 0 ? 'no role' : `only ${[...new Set(texts)].join(', ')}`
}

export function requireRight(what: string, right: Right, caller: Caller, keepsWithin = false): void {
  const missing = missingRight(what, right, caller, keepsWithin)
  if (missing === null) return
  const { enough, role } = missing
  const rules = rulesGiving(enough, caller)
  const detail = role === null ? { right, scopes: enough, ...(rules.length > 0 && { rules }) } : { right, role }
  throw new HoldfastError('FORBIDDEN', missing.message, { details: [detail] })
}

/** Returns the rules that would give a job the right. Only jobs of the trusted repository may see them. */
function rulesGiving(scopes: readonly string[], { jobRules = [] }: Caller): Pick<FederationRule, 'name' | 'claims'>[] {
  return jobRules
    .filter((rule) => rule.scopes.some((scope) => scopes.includes(scope)))
    .map(({ name, claims }) => ({ name, claims }))
}
