import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { ANY_DATABASE, type DatabaseKind } from '../support/databases.ts'
import { startWorld, type World } from './identities-world.ts'

// Two servers of one platform and a company, for the tests of a file or of a suite.

export let database: Database
export let world: World

export function useWorld({ openMigrated }: Pick<DatabaseKind, 'openMigrated'> = ANY_DATABASE, now?: () => Date): void {
  beforeAll(async () => {
    database = await openMigrated()
    world = await startWorld(database, now)
  })
  afterAll(async () => {
    await world.close()
    await database.close()
  })
}
