import type { Claims } from '../../../auth/token-rules.ts'
import type { Account } from '../accounts/account.ts'
import type { DelegatedMethod } from '../methods/method.ts'

/** The sign-in that a token of another provider proves. */
export interface DelegatedSignIn {
  /** The account, which is ACTIVATED. */
  readonly account: Account
  /** The uuid of a person's identity; null for a machine user, whom a rule names. */
  readonly identity: string | null
  readonly claims: Claims
  /** The subjects of the grants that its claims fit: see `letIn`. */
  readonly fits: readonly string[]
  /** The scopes that limit the token. */
  readonly scopes: readonly string[]
  /** The rule that accepted the token: see `ruleDigest` and `letIn`. */
  readonly rule: string
  /** The method that accepted the token. */
  readonly method: DelegatedMethod
  readonly expiresAt: Date
}
