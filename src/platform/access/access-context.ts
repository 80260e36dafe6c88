import type { Database, Sql } from '../../db/sql.ts'
import type { Domain } from '../../store/domains.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { DataKey } from '../data-key.ts'
import type { SecretKeeper } from '../secret-keeper.ts'
import type { ExternalProviders } from './delegated/provider/external-providers.ts'
import type { GrantKeeper } from './grants/grant-keeper.ts'

/** Everything that signing in to a domain needs. */
export interface AccessContext {
  readonly database: Database
  readonly domain: Domain
  readonly secrets: SecretKeeper
  readonly key: DataKey
  readonly external: ExternalProviders
  readonly grants: GrantKeeper
  /** The rest of the answer budget of the request; left out if each reading has a budget of its own. */
  readonly budget?: AnswerBudget
  now(): Date
  newId(): string
  /** Tells whether the sender may do, in this transaction, all that they could; left out if that cannot change. */
  stillMay?(sql: Sql): Promise<boolean>
  /** Is called with each signing key that the platform makes because there is none, or the newest is too old. */
  noteMadeKey?(kid: string): void
}
