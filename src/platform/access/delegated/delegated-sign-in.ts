import type { Claims } from '../../../auth/federation-rules.ts'
import type { Account } from '../accounts/account.ts'
import type { DelegatedMethod } from '../methods/method.ts'

/** What a token of another provider stands for here. */
export interface DelegatedSignIn {
  /** The account, which is ACTIVATED. */
  readonly account: Account
  /** The uuid of a person's identity; null for a machine user, which a rule names. */
  readonly identity: string | null
  readonly claims: Claims
  /** The scopes that limit the token. */
  readonly scopes: readonly string[]
  /** The method that accepted the token. */
  readonly method: DelegatedMethod
  readonly expiresAt: Date
}
