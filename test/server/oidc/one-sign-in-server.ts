import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { ANY_DATABASE, type DatabaseKind } from '../../support/databases.ts'
import { makePerson, type Person } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

// A server that people sign in to, for the tests of a file or of a suite.

export let database: Database
export let server: SignInServer
export let person: Person

export function useSignIn({ openMigrated }: Pick<DatabaseKind, 'openMigrated'> = ANY_DATABASE): void {
  beforeAll(async () => {
    database = await openMigrated()
    server = await startSignIn(database)
    person = await makePerson(server.access)
  })
  afterAll(async () => {
    await server.close()
    await database.close()
  })
}
