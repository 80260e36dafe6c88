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
  /** The rest of the request's answer budget. If it is left out, each reading has its own budget. */
  readonly budget?: AnswerBudget
  now(): Date
  newId(): string
  /** Tells whether, in this transaction, the sender still has its first rights. Left out if they cannot change. */
  stillMay?(sql: Sql): Promise<boolean>
  /** Called with each signing key that the platform makes, because it had no key or the newest one was too old. */
  noteMadeKey?(kid: string): void
}
