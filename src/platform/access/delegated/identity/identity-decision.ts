import { domainOf, normalAddress } from '../../../../auth/email-address.ts'
import { coversAddress } from '../../../../auth/email-domains.ts'
import type { Principal } from '../../../../store/access/principals.ts'
import { toAccount } from '../../accounts/accounts.ts'
import type { DelegatedMethod } from '../../methods/method.ts'
import { IdentityRefusal } from '../refusal.ts'

/** The accounts that an identity could belong to. */
export interface Candidates {
  /** The account that the identity is bound to. */
  readonly bound: Principal | null
  /** The user of the model with the address that the provider has verified. */
  readonly user: Principal | null
}

export type Decision =
  | { readonly principal: Principal }
  /** The identity belongs to a new person. */
  | { readonly principal: null }
  /** `isLoose` says that the identity must be unbound. */
  | { readonly refused: IdentityRefusal; readonly isLoose: boolean }

/**
 * Decides whose identity it is. It belongs to a user of the model where one is bound or has its address. If the
 * method is not trusted for the user's address, the identity is refused; it never gets another account beside that
 * user.
 */
export function decide(method: DelegatedMethod, { bound, user }: Candidates): Decision {
  const meant = bound?.isOfModel === true ? bound : user
  if (meant !== null && !isTrustedFor(method, meant)) {
    const { login } = toAccount(meant)
    const detail = `it is for ${login}, a user of the model, and emailDomains of ${method.name} does not have ${domainOf(login)}`
    return { refused: new IdentityRefusal('address-not-trusted', detail), isLoose: bound !== null }
  }
  const principal = meant ?? bound
  return principal === null ? { principal } : activated(principal)
}

/**
 * Tells whether the method is trusted for the user's address. This is checked on each sign-in, since both may have
 * changed.
 */
function isTrustedFor({ configuration }: DelegatedMethod, user: Principal): boolean {
  const address = normalAddress(toAccount(user).login)
  return address !== null && coversAddress(configuration, address)
}

function activated(principal: Principal): Decision {
  const { login, status } = toAccount(principal)
  if (status === 'ACTIVATED') return { principal }
  return { refused: new IdentityRefusal('not-activated', `${login} is ${status}`), isLoose: false }
}

/** Tells whether a known identity may keep its account, without looking anything up. */
export function isStill(method: DelegatedMethod, bound: Principal): boolean {
  return 'principal' in decide(method, { bound, user: null })
}
