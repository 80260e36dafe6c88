import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono, type Context } from 'hono'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { changeDomainSettings } from '../../src/platform/access/methods/domain-settings.ts'
import type { AppEnv } from '../../src/server/app-env.ts'
import { eventStream } from '../../src/server/graphql/subscriptions/event-stream.ts'
import { unreadAnswers } from '../../src/server/middleware/unread-answers.ts'
import { addressOf, listen } from '../../src/server/process/listen.ts'
import { problemResponse } from '../../src/server/requests/error-response.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { makeSite, type Site } from '../support/site.ts'
import { follow } from './follow.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { PATIENCE } from '../support/patience.ts'

// A client decides how slowly it reads. So answers count until they are read.

const MEGABYTE = 1_048_576
/** More than the operating system takes of an answer that nobody reads. */
const LONG = new Uint8Array(16 * MEGABYTE)

/** A server with long answers. Each request is one of the account that its path names; a POST changes something. */
async function longAnswers(
  limits: Parameters<typeof unreadAnswers>[0],
  stream?: (context: Context<AppEnv>) => Response,
) {
  const app = new Hono<AppEnv>()
  app.use(async (context, next) => {
    const name = context.req.path.slice(1)
    context.set('actor', { name, account: null } as never)
    await next()
  }, unreadAnswers(limits))
  const made: string[] = []
  const underWay = Promise.withResolvers<undefined>()
  app.all('*', async (context) => {
    if (stream !== undefined && context.req.query('stream') !== undefined) return stream(context)
    if (context.req.method === 'POST') {
      context.get('beginChange')(context.get('actor'))
      made.push(context.req.path)
      if (context.req.query('waits') !== undefined) await underWay.promise
    }
    return new Response(LONG, { headers: { 'content-length': String(LONG.length), 'x-old': 'yes' } })
  })
  app.onError((error) => problemResponse(error, '0'.repeat(32)))
  const server = await listen((request, bindings) => app.fetch(request, bindings), { host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = addressOf(server)
  const statusOf = async (name: string, method = 'GET') => {
    const answer = await fetch(`${url}/${name}`, { method })
    await answer.arrayBuffer()
    return answer.status
  }
  /** Asks, and reads nothing of the answer but its beginning. */
  const askUnread = async (name: string, method = 'GET'): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`${method} /${name} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n`)
    await once(socket, 'readable')
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { url, statusOf, askUnread, made, underWay }
}

it('an account with many bytes of unread answers gets no more, and others do, until all have too many', async () => {
  const { url, statusOf, askUnread } = await longAnswers({
    unreadBytesOfAccount: 25 * MEGABYTE,
    unreadBytes: 60 * MEGABYTE,
  })
  const [first] = [await askUnread('one'), await askUnread('one')]
  const refused = await fetch(`${url}/one`)
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('x-old')]).toEqual([503, '5', null])
  expect((await refused.json()) as object).toMatchObject({
    detail: expect.stringMatching(/^answers of one with 25 MiB were not read yet, .*\(unreadBytesOfAccount\)/),
    retryable: true,
  })
  expect(await statusOf('two')).toBe(200)
  await askUnread('two')
  await askUnread('three')
  expect(await statusOf('four')).toBe(503)
  first.destroy()
  await vi.waitFor(async () => expect(await statusOf('four')).toBe(200), PATIENCE)
  expect(await statusOf('one')).toBe(200)
})

/** Messages of a stream whose client may be refused. */
async function* messages(context: Context<AppEnv>, refused: string[]) {
  const hold = context.get('holdMessages')(context.get('actor'))
  for (let count = 0; count < 3; count++) {
    const error = hold(LONG.length)
    if (error !== null) return void refused.push(error.message)
    yield LONG
  }
}

it('counts the messages of a stream until its client has read them, or has left', async () => {
  const refused: string[] = []
  const { statusOf, askUnread } = await longAnswers(
    { unreadBytesOfAccount: 25 * MEGABYTE, unreadBytes: 1_000 * MEGABYTE },
    (context) => new Response(eventStream(messages(context, refused)), { headers: { connection: 'close' } }),
  )
  const stream = await askUnread('one?stream')
  await vi.waitFor(async () => expect(await statusOf('one')).toBe(503), { timeout: 10_000 })
  expect(await statusOf('two?stream')).toBe(200)
  expect(refused).toEqual([])
  await askUnread('one?stream')
  expect(refused).toEqual([
    'answers of one with 25 MiB were not read yet, which is the maximum (unreadBytesOfAccount); read them, and subscribe again after the last cursor',
  ])
  stream.destroy()
  await vi.waitFor(async () => expect(await statusOf('one')).toBe(200), { timeout: 10_000 })
})

it('an answer that was read counts no more', async () => {
  const { statusOf } = await longAnswers({ unreadBytesOfAccount: 1, unreadBytes: 1 })
  for (let round = 0; round < 3; round++) expect(await statusOf('one')).toBe(200)
})

it('a change of an account with many bytes of unread answers is refused before it is made', async () => {
  const { statusOf, askUnread, made } = await longAnswers({
    unreadBytesOfAccount: 25 * MEGABYTE,
    unreadBytes: 30 * MEGABYTE,
  })
  await askUnread('one', 'POST')
  await askUnread('one', 'POST')
  expect(await statusOf('one', 'POST')).toBe(503)
  expect(await statusOf('two', 'POST')).toBe(200)
  expect(made).toEqual(['/one', '/one', '/two'])
})

it('changes that begin at once leave less than twice the maximum unread', async () => {
  const { askUnread, made, underWay } = await longAnswers({
    unreadBytesOfAccount: 25 * MEGABYTE,
    unreadBytes: 1_000 * MEGABYTE,
  })
  const asked = Array.from({ length: 8 }, () => askUnread('one?waits', 'POST'))
  await vi.waitFor(() => expect(made).toHaveLength(8), PATIENCE)
  underWay.resolve(undefined)
  const sockets = await Promise.all(asked)
  expect(sockets.filter((socket) => socket.readableLength > 0)).toHaveLength(4)
})

let server: TestServer
let site: Site
const POINTS = 3_000
beforeAll(async () => {
  server = await startTestServer(await ANY_DATABASE.openMigrated(), { unreadBytesOfAccount: 0 })
  site = await makeSite({ ...server.access[0]!, actorName: 'tester' })
  const points = Array.from({ length: POINTS }, (_, index) =>
    site.point('temperature', index, 1_760_000_000_000 + index),
  )
  const path = '/rest/v1/data-points/add'
  await server.call({ path, body: JSON.stringify(points) })
})
afterAll(() => server.close())

const uuids = () => {
  const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', 0)
  return { component_uuid, service_uuid, characteristic_uuid }
}
const graphql = () => {
  const { component_uuid, service_uuid, characteristic_uuid } = uuids()
  const series = `component: "${component_uuid}", service: "${service_uuid}", characteristic: "${characteristic_uuid}"`
  return JSON.stringify({ query: `{ datapoints(${series}, first: ${POINTS}) { points { timestamp value } } }` })
}
const plan = () => {
  const dataSources = Array.from({ length: 1_000 }, (_, index) => ({ code: `s-${index}`, name: 'Source' }))
  return JSON.stringify({ dataSources })
}

it.each([
  ['GraphQL', () => ({ body: graphql() })],
  ['GraphQL as an event', () => ({ body: graphql(), headers: { accept: 'text/event-stream' } })],
  ['GraphQL, compressed', () => ({ body: graphql(), headers: { 'accept-encoding': 'gzip' } })],
  [
    'a page',
    () => ({ method: 'GET', path: `/rest/v1/data-points?${new URLSearchParams({ ...uuids(), first: '3000' })}` }),
  ],
  ['a plan', () => ({ path: '/rest/v1/import', body: plan() })],
])('counts a long answer of %s', async (_, call) => {
  const refused = await server.call(call())
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('(unreadBytesOfAccount)')])
})

it('lets a page of an allowed origin read the refusal', async () => {
  const origin = 'https://app.example.com'
  await changeDomainSettings(server.access[0]!, { allowedOrigins: [origin] })
  const { status, headers } = await server.call({ body: graphql(), headers: { origin } })
  expect([status, headers['access-control-allow-origin']]).toEqual([503, origin])
})

it('refuses a mutation before it is carried out', async () => {
  const body = JSON.stringify({
    query: 'mutation { createDataSource(input: { code: "late", name: "Late" }) { code } }',
  })
  const refused = await server.call({ body })
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('nothing was changed')])
  expect(await server.data('{ dataSource(code: "late") { code } }')).toEqual({ dataSource: null })
})

it('ends a subscription for whose long message too much is unread', async () => {
  const followed = follow(server, 'subscription { datapoints { cursor datapoints { value } } }')
  await followed.until((changes) => changes.length > 0)
  const point = site.point('note', 'x'.repeat(100_000), 1_760_000_000_000)
  await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify([point]) })
  await followed.ended
  expect(followed.results.at(-1)?.errors).toMatchObject([
    {
      message: expect.stringMatching(/\(unreadBytesOfAccount\); read them, and subscribe again after the last cursor$/),
      extensions: { code: 'UNAVAILABLE' },
    },
  ])
})

it('counts no short answer', async () => {
  expect(await server.data('{ currentDomain { name } }')).toBeTruthy()
})
