import { beforeAll, expect, it } from 'vitest'
import { makeSite, type Site } from '../support/site.ts'
import { HOSTS, type Answer } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

const NOON = Date.UTC(2026, 2, 28, 12)

let site: Site

useServer()
beforeAll(async () => {
  site = await makeSite(context)
})

async function send(value: number): Promise<string> {
  const body = JSON.stringify([site.point('temperature', value, NOON)])
  const answer = await server.call({ path: '/rest/v1/data-points/add', body })
  expect(answer.status).toBe(201)
  return String(answer.headers['x-service-change'])
}

function read(change: string, host: string = HOSTS.first): Promise<Answer> {
  const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', null)
  const query = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
  return server.call({
    method: 'GET',
    path: `/rest/v1/data-points?${query}`,
    headers: { 'x-service-change': change },
    host,
  })
}

const LATEST = `query ($change: String) { latestDatapoints(serviceChange: $change) { value } }`

/** As a flush of another number would have it. */
function withNumber(change: string, number: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(number)
  return `${change.slice(0, 9)}${bytes.toString('base64url')}`
}

it('whoever hands it back sees what was written', async () => {
  for (let value = 0; value < 5; value++) {
    const change = await send(value)
    expect((await read(change)).json).toMatchObject({ points: [{ value }] })
    expect(await server.data(LATEST, { change })).toMatchObject({ latestDatapoints: [{ value }] })
  }
})

it('that of a batch of which nothing was stored is one, too', async () => {
  const answer = await server.call({ path: '/rest/v1/data-points/add', body: '[]' })
  expect((await read(String(answer.headers['x-service-change']))).status).toBe(200)
})

it('a batch with an Idempotency-Key gets the first one again, and all of its first answer', async () => {
  const points = [1, 2, 'warm'].map((value) => site.point('temperature', value, NOON))
  const prefer = 'handling=lenient'
  const keyed = (headers: object) =>
    server.call({
      path: '/rest/v1/data-points/add',
      body: JSON.stringify(points),
      headers: { 'idempotency-key': 'a', prefer, ...headers },
    })
  const first = await keyed({})
  const change = String(first.headers['x-service-change'])
  expect(first).toMatchObject({ status: 207, headers: { 'x-overwritten-points': '1' }, json: { errorCount: 1 } })
  await send(3)
  const { status, headers, json } = await keyed({})
  const { traceId: _, ...same } = first.json as { readonly traceId: string }
  expect({ status, headers, json }).toMatchObject({
    status: 207,
    headers: { 'x-service-change': change, 'x-overwritten-points': '1' },
    json: same,
  })
  expect((await read(change)).json).toMatchObject({ points: [{ value: 3 }] })
  expect(await keyed({ prefer: 'handling=strict' })).toMatchObject({ status: 207, json: same })
})

it('one that was lost when the database was set back is a CONFLICT, never silence', async () => {
  const change = withNumber(await send(1), 1_000_000n)
  expect(await read(change)).toMatchObject({
    status: 412,
    json: { code: 'CONFLICT', detail: expect.stringContaining('restored to an earlier state') },
  })
  const { errors } = await server.graphql(LATEST, { change })
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' })
})

it('one of another domain, as of another database, is a CONFLICT', async () => {
  const change = await send(1)
  expect(await read(change, HOSTS.second)).toMatchObject({
    status: 412,
    json: { code: 'CONFLICT', detail: expect.stringContaining('belongs to another domain or database') },
  })
})

it.each([
  '',
  'x',
  'AAAAAAAA',
  'AAAAAAAA.AAAAAAAAAA',
  'AAAAAAAA.AAAAAAAAAAAA',
  'AAAAAAAA.__________8',
  'AAAAAAAA.AAAAAAAAAAB',
])('%j is none', async (change) => {
  expect((await read(change)).status).toBe(400)
  const { errors } = await server.graphql(LATEST, { change })
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
})
