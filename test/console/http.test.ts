import { afterAll, beforeAll, expect, it } from 'vitest'
import { STYLE_HREF } from '../../src/console/assets.ts'
import { OPERATOR, startConsoleServer } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import type { LoginServer } from '../support/login-server.ts'

// How the console answers requests that no browser of a person sends.

let server: LoginServer
beforeAll(async () => {
  server = await startConsoleServer()
})
afterAll(() => server.close())

it.each([
  ['PUT', '/', 'GET, HEAD'],
  ['DELETE', '/systems/new', 'GET, HEAD, POST'],
  ['POST', '/systems', 'GET, HEAD'],
  ['POST', '/systems/x/analyse/data', 'GET, HEAD'],
  ['GET', '/api/token', 'POST'],
])('refuses %s %s, and says what is possible', async (method, path, allow) => {
  const answer = await fetch(server.url + path, { method })
  expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, allow])
})

it.each([
  ['br', 'br'],
  ['gzip, br;q=0.5', 'br'],
  ['br;q=0', null],
  ['gzip', null],
  ['', null],
])('packs a style sheet for %j as %s', async (accepted, coding) => {
  const answer = await fetch(server.url + STYLE_HREF, { headers: { 'accept-encoding': accepted } })
  expect(answer.headers.get('content-encoding')).toBe(coding)
  await answer.arrayBuffer()
})

it('shows the first page of a list where the address says nonsense', async () => {
  const operator = await consoleVisitor(server, OPERATOR)
  const { text } = await operator.get('/applies')
  const [, uuid] = /href="\/applies\/([\w-]{36})"/.exec(text) ?? []
  const list = await operator.get(`/applies/${uuid}?action=create&at=-5&from=-7`)
  expect(list.status).toBe(200)
  expect(list.text).not.toMatch(/[-−]\d+ – /)
})
