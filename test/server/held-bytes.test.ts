import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import type { Actor } from '../../src/platform/access/grants/actor.ts'
import { heldBodies } from '../../src/server/requests/held-bytes.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/server/requests/limits.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { HOSTS, startTestServer, TOKEN, type TestServer } from './test-server.ts'
import { PATIENCE } from '../support/patience.ts'

// One sender, or all of them, may only have so many bytes of batches on their way.

const batchesOf = (limits: Partial<Limits>) => heldBodies({ ...DEFAULT_LIMITS, ...limits }).batches
const actor = (name: string) => ({ name, account: null }) as unknown as Actor

it('who has many bytes on the way is refused, and all others go on until these are too many, too', async () => {
  const held = batchesOf({ storingBytesOfAccount: 100, storingBytes: 250 })
  const { promise: stored, resolve } = Promise.withResolvers<void>()
  const store = <T>(name: string, size: number, ends: Promise<T>) =>
    held.during(actor(name), (hold) => {
      hold(size)
      return ends
    })
  const begin = (name: string, size: number) => store(name, size, stored)
  const send = async (name: string) => store(name, 1, Promise.resolve('stored'))
  const first = begin('one', 120)
  await expect(send('one')).rejects.toThrow(/batches of one with 100 bytes .*the maximum \(storingBytesOfAccount\)/)
  expect(await send('two')).toBe('stored')
  const others = [begin('two', 80), begin('three', 80)]
  await expect(send('four')).rejects.toThrow(/^batches with 250 bytes .*\(storingBytes\)/)
  resolve()
  await Promise.all([first, ...others])
  for (const name of ['one', 'two', 'four']) expect(await send(name)).toBe('stored')
})

it('a batch that fails is released', async () => {
  const held = batchesOf({ storingBytesOfAccount: 1, storingBytes: 1 })
  const fail = () =>
    held.during(actor('one'), (hold) => {
      hold(1)
      return Promise.reject(new Error('failed'))
    })
  for (let round = 0; round < 3; round++) await expect(fail()).rejects.toThrow('failed')
})

it('a batch that reaches the limit goes on, and others that grow beside it do not', async () => {
  const held = batchesOf({ storingBytesOfAccount: 100, storingBytes: 250 })
  await held.during(actor('one'), async (hold) => {
    for (const bytes of [60, 99, 150]) hold(bytes)
    await held.during(actor('two'), async (other) => other(10))
    await expect(held.during(actor('one'), async (other) => other(1))).rejects.toThrow('(storingBytesOfAccount)')
    hold(50)
    await held.during(actor('one'), async (other) => {
      other(80)
      expect(() => hold(60)).not.toThrow()
      other(100)
      expect(() => hold(70)).toThrow('(storingBytesOfAccount)')
    })
  })
})

let server: TestServer
afterEach(() => void vi.useRealTimers())

async function withServer(limits: Partial<Limits>, work: () => Promise<void>): Promise<void> {
  server = await startTestServer(await ANY_DATABASE.openMigrated(), limits)
  await work().finally(() => server.close())
}

/** Sends the head of a request, and its body where it is given; a part of it where the body is shorter than announced. */
function send(path: string, length: number, body?: string, agent: Agent | false = false): Promise<IncomingMessage> {
  const headers = {
    host: HOSTS.first,
    'content-type': 'application/json',
    authorization: `Bearer ${TOKEN}`,
    'content-length': length,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, server.url), { method: 'POST', agent, headers }, resolve)
    request.on('error', reject)
    if (body === undefined) request.flushHeaders()
    else if (body.length < length) request.write(body)
    else request.end(body)
  })
}

it.each(['data-points/add', 'set-points/add', 'set-points/acknowledge'])('%s says when to try again', (path) =>
  withServer({ storingBytesOfAccount: 0 }, async () => {
    const refused = await send(`/rest/v1/${path}`, 2, '[]')
    expect([refused.statusCode, refused.headers['retry-after']]).toStrictEqual([503, '5'])
    expect(await text(refused)).toContain('(storingBytesOfAccount)')
  }),
)

it('who announces much and sends nothing takes no room', () =>
  withServer({ storingBytesOfAccount: 1_000, storingBytes: 1_000 }, async () => {
    for (let round = 0; round < 5; round++) void send('/rest/v1/data-points/add', 1_000_000).catch(() => null)
    for (let round = 0; round < 5; round++)
      expect((await send('/rest/v1/data-points/add', 2, '[]')).statusCode).toBe(201)
  }))

it.each(['data-points/add', 'set-points/add'])('slow senders to %s count with what has arrived of them', (path) =>
  withServer({ storingBytesOfAccount: 1_000_000 }, async () => {
    const agent = new Agent()
    const refused: (number | undefined)[] = []
    const { promise: most, resolve } = Promise.withResolvers<void>()
    for (let sender = 0; sender < 20; sender++)
      void send(`/rest/v1/${path}`, 1_000_000, '['.padEnd(200_000), agent).then(
        ({ statusCode }) => refused.push(statusCode) >= 15 && resolve(),
        () => null,
      )
    await most
    expect(new Set(refused)).toStrictEqual(new Set([503]))
    agent.destroy()
    await vi.waitFor(async () => expect((await send(`/rest/v1/${path}`, 2, '[]')).statusCode).toBe(201), PATIENCE)
  }),
)

const statusNow = async (path: string) => (await send(`/rest/v1/${path}`, 2, '[]')).statusCode

it.each(['data-points/add', 'set-points/add'])(
  'stalled bodies to %s are broken off when others need the room',
  (path) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    return withServer({ storingBytesOfAccount: 400_000 }, async () => {
      const stalled = [0, 1].map(() => send(`/rest/v1/${path}`, 1_000_000, '['.padEnd(200_000)))
      await vi.waitFor(async () => expect(await statusNow(path)).toBe(503), PATIENCE)
      vi.advanceTimersByTime(20_000)
      for (const one of await Promise.all(stalled)) {
        expect([one.statusCode, one.headers.connection, one.headers['retry-after']]).toStrictEqual([408, 'close', '5'])
        expect(await text(one)).toContain('stalled')
      }
      expect(await statusNow(path)).toBe(201)
    })
  },
)

const POOLS = [
  ['/rest/v1/import', 'documentsBytesOfAccount', 1_000],
  ['/graphql', 'documentsBytesOfAccount', 1_000],
  ['/graphql', 'requestsBytesOfAccount', 1_000_000],
] as const

it.each(POOLS)('slow senders to %s count by %s', (path, limit, requestBytes) =>
  withServer({ [limit]: 1_000_000, requestBytes }, async () => {
    const agent = new Agent()
    const refused: number[] = []
    const { promise: most, resolve } = Promise.withResolvers<void>()
    for (let sender = 0; sender < 20; sender++)
      void send(path, 1_000_000, '['.padEnd(200_000), agent).then(
        ({ statusCode = 0 }) => refused.push(statusCode) >= 15 && resolve(),
        () => null,
      )
    await most
    expect(new Set(refused)).toStrictEqual(new Set([503]))
    agent.destroy()
  }),
)

it('a body that is too large takes no room while the rest of it is read', () =>
  withServer({ documentsBytesOfAccount: 3_000, requestBytes: 1_000, importDocumentBytes: 5_000 }, async () => {
    const agent = new Agent()
    const large = httpRequest(new URL('/rest/v1/import', server.url), {
      method: 'POST',
      agent,
      headers: { host: HOSTS.first, 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    })
    large.on('error', () => undefined)
    const document = JSON.stringify({ services: [], more: 'x'.repeat(1_500) })
    const sent = async () => (await send('/rest/v1/import', document.length, document)).statusCode
    large.write('x'.repeat(4_000))
    await vi.waitFor(async () => expect(await sent()).toBe(503), PATIENCE)
    large.write('x'.repeat(4_000))
    await vi.waitFor(async () => expect(await sent()).not.toBe(503), PATIENCE)
    agent.destroy()
  }))

it('large documents leave room for small requests', () =>
  withServer({ documentsBytes: 1, requestBytes: 1_000 }, async () => {
    const document = JSON.stringify({ query: '{ me { name } }', variables: { x: 'x'.repeat(2_000) } })
    const stalled = send('/graphql', document.length + 1, document)
    const query = JSON.stringify({ query: '{ me { name } }' })
    await vi.waitFor(
      async () => expect((await send('/graphql', document.length, document)).statusCode).toBe(503),
      PATIENCE,
    )
    expect((await send('/graphql', query.length, query)).statusCode).toBe(200)
    stalled.catch(() => null)
  }))
