import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeHouse, type House } from '../support/analyse-house.ts'
import { OPERATOR, startConsoleServer } from '../support/console-server.ts'
import { consoleVisitor, type ConsoleVisitor } from '../support/console-visitor.ts'
import type { LoginServer } from '../support/login-server.ts'

let server: LoginServer
let operator: ConsoleVisitor
let house: House

beforeAll(async () => {
  server = await startConsoleServer()
  operator = await consoleVisitor(server, OPERATOR)
  house = await makeHouse(server.context)
})
afterAll(() => server.close())

const EXTREMES = [
  { to: '-271821-04-20' },
  { to: '-271821-04-20T00:00:01Z', window: '15m' },
  { to: '+275760-09-13T00:00:00Z' },
  { from: '-271821-04-20T00:00:00Z', to: '-271821-04-21T00:00:00Z' },
  { from: '+275760-09-12T00:00:00Z', to: '+275760-09-13T00:00:00Z' },
  { from: '-000001-01-01', to: '0000-01-01' },
  { to: '1970-01-01T00:00:30Z' },
  { from: '9999-12-31', to: '+010000-01-01' },
]

it.each(EXTREMES)('the page of %j is refused by name', async (window) => {
  for (const what of ['', '/data', '/csv']) {
    const address = `${house.path('note').replace('?', `${what}?`)}&${new URLSearchParams(window).toString()}`
    const { status, text } = await operator.get(address)
    expect([what, status, /between the years 1970 and 9999/.test(text)]).toEqual([what, 400, true])
  }
})
