import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { ANY_DATABASE, type DatabaseKind } from './databases.ts'
import { makeDomain } from './domain.ts'

// A migrated database for the tests of a file or of a suite.

export let database: Database
/** The domain that `useDomain` makes. */
export let context: DomainContext

type Opens = Pick<DatabaseKind, 'openMigrated'>

export function useDatabase({ openMigrated }: Opens = ANY_DATABASE): void {
  beforeAll(async () => {
    database = await openMigrated()
  })
  afterAll(() => database.close())
}

export function useDomain(kind?: Opens): void {
  useDatabase(kind)
  beforeAll(async () => {
    context = await makeDomain(database)
  })
}
