import { HoldfastError } from '../lib/errors.ts'
import { rightsOf, scopesGiving, type Right, type Scope } from './scopes.ts'

/** On whose behalf something is asked for: what the token says, and what follows from it. */
export interface Caller {
  readonly scopes: readonly string[]
  readonly rights: ReadonlySet<Right>
}

export interface MissingRight {
  /** Each of them would be enough, the narrowest first. */
  readonly enough: readonly Scope[]
  readonly message: string
}

/** Null where the token allows it. Its scopes are no secret to the one who holds it, and naming them helps. */
export function missingRight(what: string, right: Right, { scopes, rights }: Caller): MissingRight | null {
  if (rights.has(right)) return null
  const enough = scopesGiving(right)
  if (rightsOf(scopes).has(right))
    return {
      enough: [],
      message: `${what} is not for devices: this account is bound to a system and may only send and read its data`,
    }
  const has = scopes.length === 0 ? 'no scope' : `only ${scopes.join(' ')}`
  return { enough, message: `${what} needs a token with the scope ${enough.join(' or ')}; this one has ${has}` }
}

export function requireRight(what: string, right: Right, caller: Caller): void {
  const missing = missingRight(what, right, caller)
  if (missing === null) return
  throw new HoldfastError('FORBIDDEN', missing.message, { details: [{ right, scopes: missing.enough }] })
}
