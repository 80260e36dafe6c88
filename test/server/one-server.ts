import { afterAll, beforeAll } from 'vitest'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Limits } from '../../src/server/requests/limits.ts'
import { ANY_DATABASE, type DatabaseKind } from '../support/databases.ts'
import { contextOf, startTestServer, type TestServer } from './test-server.ts'

// A server for the tests of a file. `useServer` starts it before the first test and stops it after the last one.

export let server: TestServer
/** The first of the server's domains, to call the platform's operations with. */
export let context: DomainContext

interface ServerOptions extends Partial<Limits> {
  readonly kind?: DatabaseKind
}

export function useServer({ kind = ANY_DATABASE, ...limits }: ServerOptions = {}): void {
  beforeAll(async () => {
    server = await startTestServer(await kind.openMigrated(), limits)
    context = contextOf(server)
  })
  afterAll(() => server.close())
}
