import type { Database } from '../../db/sql.ts'
import type { Domain } from '../../store/domains.ts'
import type { DataKey } from '../data-key.ts'
import type { SecretKeeper } from '../secret-keeper.ts'
import type { ExternalProviders } from './delegated/external-providers.ts'
import type { GrantKeeper } from './grants/grant-keeper.ts'

/** Everything that signing in to a domain needs. */
export interface AccessContext {
  readonly database: Database
  readonly domain: Domain
  readonly secrets: SecretKeeper
  readonly key: DataKey
  readonly external: ExternalProviders
  readonly grants: GrantKeeper
  now(): Date
  newId(): string
}
