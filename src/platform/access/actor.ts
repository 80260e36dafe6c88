import type { Right } from '../../auth/scopes.ts'
import type { Account } from './account.ts'

/** On whose behalf a request is made, and what it may do. */
export interface Actor {
  /** As history and drift show it. */
  readonly name: string
  /** Null for the operator of an embedded platform: nobody had to sign in. */
  readonly account: Account | null
  readonly scopes: readonly string[]
  readonly rights: ReadonlySet<Right>
  /** Of the application that acts for the account; null where there is none. */
  readonly clientId: string | null
  /** Of a device's account: the one system whose data it may touch; null where it is nobody's device. */
  readonly systemUuid: string | null
}
