import type { Account } from './account.ts'

/** What a token of another provider stands for here. */
export interface DelegatedSignIn {
  /** ACTIVATED. */
  readonly account: Account
  /** All that the token may do. */
  readonly scopes: readonly string[]
  readonly methodUuid: string
  /** What the other provider calls this platform. */
  readonly clientId: string
  readonly expiresAt: Date
}
