import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPERATOR, startConsoleServer } from '../support/console-server.ts'
import { consoleVisitor, type ConsoleVisitor } from '../support/console-visitor.ts'
import { applyAll } from '../support/domain.ts'
import type { LoginServer } from '../support/login-server.ts'

let server: LoginServer
let operator: ConsoleVisitor

beforeAll(async () => {
  server = await startConsoleServer({ limits: { unreadBytesOfAccount: 0 } })
  await applyAll(server.context, { dataSources: [{ code: 'long', name: 'Long', description: 'x'.repeat(60_000) }] })
  operator = await consoleVisitor(server, OPERATOR)
})
afterAll(() => server.close())

it('a long page counts until it is read, and a short one does not', async () => {
  expect((await operator.get('/')).status).toBe(200)
  const { status, text } = await operator.get('/model/dataSources/long')
  expect([status, text]).toEqual([503, expect.stringContaining('(unreadBytesOfAccount)')])
})
