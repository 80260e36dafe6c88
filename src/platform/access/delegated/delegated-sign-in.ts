import type { Claims } from '../../../auth/federation-rules.ts'
import type { Account } from '../accounts/account.ts'
import type { DelegatedMethod } from '../methods/method.ts'

/** What a token of another provider stands for here. */
export interface DelegatedSignIn {
  /** ACTIVATED. */
  readonly account: Account
  /** The uuid of the identity of a person; null for a machine user, whom a rule stands for. */
  readonly identity: string | null
  readonly claims: Claims
  /** All that the token may do. */
  readonly scopes: readonly string[]
  /** On whose terms it came in. */
  readonly method: DelegatedMethod
  readonly expiresAt: Date
}
