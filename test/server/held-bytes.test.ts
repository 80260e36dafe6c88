import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { Actor } from '../../src/platform/access/grants/actor.ts'
import { HeldBytes } from '../../src/server/requests/held-bytes.ts'
import type { Limits } from '../../src/server/requests/limits.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { HOSTS, startTestServer, TOKEN, type TestServer } from './test-server.ts'

// One sender, or all of them, may only have so many bytes of batches on their way.

const actor = (name: string) => ({ name, account: null }) as unknown as Actor

it('who has many bytes on the way is refused, and all others go on until these are too many, too', async () => {
  const held = new HeldBytes({ storingBytesOfAccount: 100, storingBytes: 250 })
  const { promise: stored, resolve } = Promise.withResolvers<void>()
  const begin = (name: string, size: number) => held.during(actor(name), new Uint8Array(size), () => stored)
  const send = async (name: string) => held.during(actor(name), new Uint8Array(1), () => Promise.resolve('stored'))
  const first = begin('one', 120)
  await expect(send('one')).rejects.toThrow(
    /batches of one with 100 bytes .*the most at once \(storingBytesOfAccount\)/,
  )
  expect(await send('two')).toBe('stored')
  const others = [begin('two', 80), begin('three', 80)]
  await expect(send('four')).rejects.toThrow(/^batches with 250 bytes .*\(storingBytes\)/)
  resolve()
  await Promise.all([first, ...others])
  for (const name of ['one', 'two', 'four']) expect(await send(name)).toBe('stored')
})

it('a batch that fails is released', async () => {
  const held = new HeldBytes({ storingBytesOfAccount: 1, storingBytes: 1 })
  const fail = () => held.during(actor('one'), new Uint8Array(1), () => Promise.reject(new Error('failed')))
  for (let round = 0; round < 3; round++) await expect(fail()).rejects.toThrow('failed')
})

let server: TestServer

async function withServer(limits: Partial<Limits>, work: () => Promise<void>): Promise<void> {
  server = await startTestServer(await ANY_DATABASE.openMigrated(), limits)
  await work().finally(() => server.close())
}

/** Sends the head of a request, and its body where it is given. */
function send(path: string, length: number, body?: string): Promise<IncomingMessage> {
  const headers = {
    host: HOSTS.first,
    'content-type': 'application/json',
    authorization: `Bearer ${TOKEN}`,
    'content-length': length,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, server.url), { method: 'POST', agent: false, headers }, resolve)
    request.on('error', reject)
    if (body === undefined) request.flushHeaders()
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
