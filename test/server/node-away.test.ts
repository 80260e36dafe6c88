import { afterAll, beforeAll, expect, it } from 'vitest'
import { HoldfastError } from '../../src/lib/errors.ts'
import { graphqlHandler, type ServerContext } from '../../src/server/graphql/requests/handler.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { HOSTS, startTestServer, type TestServer } from './test-server.ts'

const away = new Set<number>()
let server: TestServer

beforeAll(async () => {
  const database = await ANY_DATABASE.openMigrated()
  server = await startTestServer({ ...database, away: () => away })
})
afterAll(() => server.close())

const REFUSED = { status: 503, headers: { 'retry-after': '5' }, text: expect.stringContaining('its node') }

const callsTo = (host: string) => {
  const graphql = { path: '/graphql', host, body: JSON.stringify({ query: '{ currentDomain { name } }' }) }
  return Promise.all([
    server.call({ path: '/rest/v1/data-points/add', host, body: '[]' }),
    server.call(graphql),
    server.call({ method: 'GET', path: '/', host, authorization: null }),
  ])
}

it('requests of a domain whose node is away are refused at once, and those of others are answered', async () => {
  away.add(server.domains[0]?.id ?? 0)
  for (const answer of await callsTo(HOSTS.first)) expect(answer).toMatchObject(REFUSED)
  for (const answer of await callsTo(HOSTS.second)) expect(answer.status).not.toBe(503)
  away.clear()
  for (const answer of await callsTo(HOSTS.first)) expect(answer.status).not.toBe(503)
})

const fail = (): never => {
  throw new HoldfastError('UNAVAILABLE', 'it is down')
}

it('an answer of GraphQL with the status 503 also says when to try again', async () => {
  const handle = graphqlHandler({ info: () => undefined, error: () => undefined })
  const answer = await handle({ asked: { takeParams: fail, weight: null }, traceId: '' } as unknown as ServerContext)
  expect([answer.status, answer.headers.get('retry-after')]).toStrictEqual([503, '5'])
})
