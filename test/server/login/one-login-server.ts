import { afterAll, beforeAll } from 'vitest'
import { startLoginServer, type LoginServer, type LoginServerOptions } from '../../support/login-server.ts'

export let server: LoginServer

/** Starts a server for all tests of the file. */
export function useLoginServer(options: LoginServerOptions = {}): void {
  beforeAll(async () => {
    server = await startLoginServer(options)
  })
  afterAll(() => server.close())
}
