import { afterAll, beforeAll } from 'vitest'
import { OPERATOR, startConsoleServer } from './console-server.ts'
import { consoleVisitor, type ConsoleVisitor } from './console-visitor.ts'
import type { LoginServer, LoginServerOptions } from './login-server.ts'

// A server with the console for the tests of a file, and its operator, who is signed in.

export let server: LoginServer
export let operator: ConsoleVisitor

export function useConsole(options: LoginServerOptions = {}): void {
  beforeAll(async () => {
    server = await startConsoleServer(options)
    operator = await consoleVisitor(server, OPERATOR)
  })
  afterAll(() => server.close())
}
