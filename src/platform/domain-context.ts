import type { Database } from '../db/sql.ts'
import type { Domain } from '../store/domains.ts'
import type { SecretKeeper } from './secret-keeper.ts'

/** What every operation on a domain needs, and on whose behalf it is done. */
export interface DomainContext {
  readonly database: Database
  readonly domain: Domain
  readonly secrets: SecretKeeper
  /** The name that history and drift show: a user, a machine user, a workflow. */
  readonly actor: string
  now(): Date
  newId(): string
}
