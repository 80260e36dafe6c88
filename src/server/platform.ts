import type { Database } from '../db/sql.ts'
import type { SecretKeeper } from '../platform/secret-keeper.ts'
import type { Domain } from '../store/domains.ts'
import type { Authenticate } from './authenticate.ts'

/** The opened platform, as the routes see it. */
export interface Platform {
  readonly database: Database
  readonly secrets: SecretKeeper
  readonly authenticate: Authenticate
  findDomain(host: string): Promise<Domain | null>
  /** Fails where the database does not answer. */
  checkDatabase(): Promise<void>
}
