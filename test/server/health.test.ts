import { afterAll, beforeAll, expect, it } from 'vitest'
import { countingDatabase } from '../support/counting-database.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const load = () => ({ used: 10, idle: 0, waiting: isBusy ? 1 : 0, isUp: true, oldestMs: 0, unanswered: 0 })
let server: TestServer
let isBroken = false
let isBusy = false
beforeAll(async () => {
  const database = countingDatabase(await ANY_DATABASE.openMigrated(), () => {
    if (isBroken) throw new Error('the database is gone')
  })
  server = await startTestServer({ ...database, load })
})
afterAll(() => server.close())

const get = (path: string) => server.call({ method: 'GET', path, authorization: null, host: 'any.host.example' })

it('a ready server is up and ready, for any host and without a token', async () => {
  expect(await get('/healthz')).toMatchObject({ status: 200, json: { status: 'up' } })
  expect(await get('/readyz')).toMatchObject({ status: 200, json: { status: 'ready' } })
})

it.each(['starting', 'draining'] as const)('a server that is %s is up and not ready', async (state) => {
  server.lifecycle.state = state
  expect(await get('/healthz')).toMatchObject({ status: 200 })
  expect(await get('/readyz')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    json: { code: 'UNAVAILABLE', detail: expect.stringContaining(state) as string },
  })
  server.lifecycle.state = 'ready'
})

it('a server that is starting sends everybody else away', async () => {
  server.lifecycle.state = 'starting'
  expect(await server.call({ body: '{}' })).toMatchObject({
    status: 503,
    json: { retryable: true },
    headers: { 'retry-after': '5' },
  })
  server.lifecycle.state = 'ready'
})

it('a server that is draining still answers what has arrived, and keeps no connection', async () => {
  server.lifecycle.state = 'draining'
  const answer = await server.call({
    body: '{"query":"{ currentDomain { name } }"}',
    headers: { connection: 'keep-alive' },
  })
  expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
  server.lifecycle.state = 'ready'
})

it('a server without its database is not ready', async () => {
  isBroken = true
  const answer = await get('/readyz')
  isBroken = false
  expect(answer).toMatchObject({ status: 503, json: { detail: expect.stringContaining('database') as string } })
  expect(answer.text).not.toContain('gone')
})

it('a server whose connections are all in use says so, and not that the database does not answer', async () => {
  isBroken = true
  isBusy = true
  const answer = await get('/readyz')
  isBroken = false
  isBusy = false
  expect(answer).toMatchObject({
    status: 503,
    json: { retryable: true, detail: expect.stringContaining('are in use') as string },
  })
})
