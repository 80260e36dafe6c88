import { domainOf, normalAddress } from '../../../auth/email-address.ts'
import { coversAddress } from '../../../auth/email-domains.ts'
import type { Principal } from '../../../store/access/principals.ts'
import { toAccount } from '../accounts/accounts.ts'
import type { DelegatedMethod } from '../methods/method.ts'
import { IdentityRefusal } from './refusal.ts'

/** Who an identity could be here. */
export interface Candidates {
  /** What it is bound to. */
  readonly bound: Principal | null
  /** The user of the model who has the address that its provider has verified. */
  readonly user: Principal | null
}

export type Decision =
  | { readonly principal: Principal }
  /** A person nobody knows yet. */
  | { readonly principal: null }
  /** `isLoose`: what it is bound to must not stay so. */
  | { readonly refused: IdentityRefusal; readonly isLoose: boolean }

/**
 * Who an identity is. A user of the model is meant where there is one, bound or by address; it is that user where the
 * method is trusted for the user's address, and otherwise nobody: never another account beside that user.
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

/** Also after the method's domains, or the user's address, were changed. */
function isTrustedFor({ configuration }: DelegatedMethod, user: Principal): boolean {
  const address = normalAddress(toAccount(user).login)
  return address !== null && coversAddress(configuration, address)
}

function activated(principal: Principal): Decision {
  const { login, status } = toAccount(principal)
  if (status === 'ACTIVATED') return { principal }
  return { refused: new IdentityRefusal('not-activated', `${login} is ${status}`), isLoose: false }
}

/** Whether a known identity is what it is bound to, without anything being looked at again. */
export function isStill(method: DelegatedMethod, bound: Principal): boolean {
  return 'principal' in decide(method, { bound, user: null })
}
