import { domainOf, normalAddress } from '../../../../auth/email-address.ts'
import { coversAddress } from '../../../../auth/email-domains.ts'
import { reasonNotToMatch } from '../../../../auth/method-configuration.ts'
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
  /** Whether the provider verifies that address now; otherwise it verified it earlier. */
  readonly isTold: boolean
  /** The rivals for the user of the model among the candidates: see `userAmong`. */
  readonly rivals: Rivals
}

/** The claims of other providers on a user of the model. */
export interface Rivals {
  /** Another method whose `emailDomains` has the domain of the user's address. */
  readonly covering: Pick<DelegatedMethod, 'name' | 'configuration'> | null
  /** The issuer of another provider whose identity is bound to the user. */
  readonly boundIssuer: string | null
  /** Whether the user may keep an identity that another method of the same provider bound. */
  readonly isKept: boolean
}

export const NO_RIVALS: Rivals = { covering: null, boundIssuer: null, isKept: false }

export type Decision =
  | { readonly principal: Principal }
  /** The identity belongs to a new person. */
  | { readonly principal: null }
  /** `isLoose` says that the identity must be unbound. */
  | { readonly refused: IdentityRefusal; readonly isLoose: boolean }

/** The user of the model whose identity it would be. */
export function userAmong({ bound, user }: Pick<Candidates, 'bound' | 'user'>): Principal | null {
  return bound?.isOfModel === true ? bound : user
}

/**
 * Decides whose identity it is. It belongs to a user of the model if it is bound to that user or has the user's
 * address. If the method is not trusted for the user's address, the identity is refused. It never gets a second account
 * besides that user, so nobody becomes another person by sending fewer claims than before.
 */
export function decide(method: DelegatedMethod, candidates: Candidates): Decision {
  const { bound, isTold, rivals } = candidates
  const isBound = bound !== null
  const meant = userAmong(candidates)
  const reason = meant === null ? null : distrust(method, meant, rivals)
  if (meant !== null && reason !== null)
    return { refused: notTrusted(meant, reason), isLoose: isBound && !rivals.isKept }
  if (meant !== null && meant !== bound && !isTold) {
    const earlier = 'its provider verified that address earlier, but not in this token'
    return { refused: notTrusted(meant, earlier), isLoose: isBound }
  }
  const principal = meant ?? bound
  if (principal === null) return { principal }
  const { login, status } = toAccount(principal)
  if (status === 'ACTIVATED') return { principal }
  const refused = new IdentityRefusal('not-activated', `${login} is ${status}`)
  return { refused, isLoose: isBound && principal !== bound }
}

function notTrusted(user: Principal, reason: string): IdentityRefusal {
  return new IdentityRefusal(
    'address-not-trusted',
    `it is for ${toAccount(user).login}, a user of the model, and ${reason}`,
  )
}

/**
 * The reason why the method is not trusted for the user's address; null if it is. This is checked at each sign-in,
 * since everything that it depends on may have changed.
 */
function distrust(method: DelegatedMethod, user: Principal, { covering, boundIssuer }: Rivals): string | null {
  const { name, configuration } = method
  const { login } = toAccount(user)
  const address = normalAddress(login)
  if (address === null) return `${login} is no address that a provider can verify`
  if (coversAddress(configuration, address)) return null
  const missing = `emailDomains of ${name} does not have ${domainOf(address)}`
  if (configuration.emailDomains.length > 0) return missing
  const reason =
    reasonNotToMatch(configuration) ??
    (covering && `emailDomains of ${covering.name} has it`) ??
    (boundIssuer && `the user is bound to ${boundIssuer} (unbindIdentity)`)
  return reason && `${missing}, and ${reason}`
}
