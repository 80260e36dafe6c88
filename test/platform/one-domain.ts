import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { ANY_DATABASE, type DatabaseKind } from '../support/databases.ts'
import { emptyDomain, makeDomain } from '../support/domain.ts'

/** One database for a file, and an empty domain for each of its tests. */
export function oneDomain(kind: DatabaseKind = ANY_DATABASE): () => DomainContext {
  let database: Database
  let context: DomainContext
  beforeAll(async () => {
    database = await kind.openMigrated()
  })
  beforeEach(async () => {
    // Made anew, because it also remembers how often secrets were guessed.
    context = await makeDomain(database)
    await emptyDomain(context)
  })
  afterAll(() => database.close())
  return () => context
}
