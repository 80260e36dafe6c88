import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { giveToken, makeMachine } from '../support/access.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { HOSTS, startTestServer, type TestServer } from './test-server.ts'

// One sender, or all of them, may only have so many bytes on their way.

const KILOBYTE = 1_000

let server: TestServer
let tokens: readonly string[]
beforeAll(async () => {
  const limits = { storingBytesOfAccount: 100 * KILOBYTE, storingBytes: 250 * KILOBYTE }
  server = await startTestServer(await ANY_DATABASE.openMigrated(), limits)
  const access = server.access[0]!
  const machines = ['one', 'two', 'three', 'four'].map((login) => makeMachine(access, login))
  tokens = await Promise.all(
    (await Promise.all(machines)).map(async (account) => {
      await server.data(
        `mutation { createGrant(input: { role: ADMINISTRATOR, machineUser: "${account.login}" }) { key } }`,
      )
      return giveToken(access, account)
    }),
  )
})
afterAll(() => server.close())

interface Begun {
  readonly answer: Promise<IncomingMessage>
  finish(): void
}

/** Sends the head of a request and the beginning of its body. */
function begin(sender: number, body: Uint8Array, more: { readonly [name: string]: string } = {}): Begun {
  const headers = {
    host: HOSTS.first,
    'content-type': 'application/json',
    authorization: `Bearer ${tokens[sender]}`,
    'content-length': body.length,
    ...more,
  }
  const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const url = new URL('/rest/v1/data-points/add', server.url)
  const request = httpRequest(url, { method: 'POST', agent: false, headers }, resolve).on('error', reject)
  request.write(body.subarray(0, 1))
  return { answer, finish: () => request.end(body.subarray(1)) }
}

const empty = (size: number) => Buffer.from(`[]${' '.repeat(size - 2)}`)

async function send(sender: number, body = empty(KILOBYTE), more = {}): Promise<IncomingMessage> {
  const { answer, finish } = begin(sender, body, more)
  finish()
  return answer
}

it('whose batches are many bytes has to wait, and all others go on until these are too many, too', async () => {
  const first = begin(0, empty(120 * KILOBYTE))
  await expect.poll(async () => (await send(0)).statusCode).toBe(503)
  const refused = await send(0)
  expect(refused.headers['retry-after']).toBe('5')
  expect(await text(refused)).toMatch(/batches of one with 100,000 bytes .* the most at once \(storingBytesOfAccount\)/)
  expect((await send(1)).statusCode).toBe(201)
  const others = [1, 2].map((sender) => begin(sender, empty(80 * KILOBYTE)))
  await expect.poll(async () => (await send(3)).statusCode).toBe(503)
  expect(await text(await send(3))).toMatch(/^.*batches with 250,000 bytes .* \(storingBytes\)/)
  for (const one of [first, ...others]) {
    one.finish()
    expect((await one.answer).statusCode).toBe(201)
  }
  for (const sender of [0, 1, 2, 3]) expect((await send(sender)).statusCode).toBe(201)
})

it('a refused batch is released', async () => {
  for (let round = 0; round < 5; round++) {
    expect((await send(0, Buffer.alloc(60 * KILOBYTE))).statusCode).toBe(400)
    expect((await send(0, empty(60 * KILOBYTE), { 'idempotency-key': 'ä' })).statusCode).toBe(400)
    expect((await send(0, empty(60 * KILOBYTE), { 'content-encoding': 'gzip' })).statusCode).toBe(400)
    expect((await send(0, gzipSync(empty(60 * KILOBYTE)), { 'content-encoding': 'gzip' })).statusCode).toBe(201)
  }
})
