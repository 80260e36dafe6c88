import { encode } from '@msgpack/msgpack'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { updateComponent } from '../../src/platform/systems/components.ts'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { historyOf } from '../platform/datapoints/history.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { makeSite, type SentPoint, type Site } from '../support/site.ts'
import { expectHeadersOfEveryAnswer, HOSTS, type Answer, type Call } from './test-server.ts'
import { context, server, useServer } from './one-server.ts'

const PATH = '/rest/v1/data-points/add'
const NOON = '2025-10-09T12:00:00.250Z'
const MICROSECONDS = Date.parse(NOON) * 1_000

function bytes(uuid: string): Uint8Array {
  return new Uint8Array(Buffer.from(uuid.replaceAll('-', ''), 'hex'))
}

/** An answer and what was logged, without what is another one each time. */
function comparable({ status, headers, text }: Answer, log: readonly string[]): object {
  const { date: _, 'x-trace-id': traceId = '', 'x-service-change': change, ...others } = headers
  const known = (line: string) => line.replaceAll(String(traceId), 'TRACE').replace(/"milliseconds":\d+/, '')
  return { status, headers: { ...others, change: change?.length }, text: known(text), log: log.map(known) }
}

const token = async (systemUuid: string) => {
  const { uuid: accountUuid } = await createSystemCredential(context, systemUuid)
  return giveToken(context, { uuid: accountUuid }, { scope: 'datapoints:write' })
}

const temperatures = async () => (await historyOf(context))['Sensor 0 temperature']

const send = (body: string | Uint8Array, call: Call = {}): Promise<Answer> => server.call({ path: PATH, body, ...call })

const sendAll = (...points: unknown[]): Promise<Answer> => send(JSON.stringify(points))

describe.each(SAMPLED_DATABASES)(`POST ${PATH} on $name`, (kind) => {
  let site: Site

  useServer({ kind, batchBytes: 1_048_576 })
  beforeAll(async () => {
    site = await makeSite(context)
  })
  beforeEach(async () => {
    await server.database.script('truncate datapoint_chunks, datapoint_blocks, datapoints_hot')
  })

  const oneOf = (value: number) => JSON.stringify([site.point('temperature', value)])
  /** The second one is wrong in every third batch. */
  const twoOf = (index: number): SentPoint[] => [
    site.point('temperature', index, Date.parse(NOON) + index),
    site.point('count', index % 3 === 0 ? 0.5 : index, Date.parse(NOON) + index),
  ]

  it('answers 201 with nothing in it, when everything is stored', async () => {
    const answer = await sendAll(site.point('temperature', 21.5, NOON), site.point('open', true))
    expect(answer).toMatchObject({ status: 201, text: '' })
    expect(answer.headers['content-length']).toBe('0')
    expect(answer.headers['x-service-change']).toMatch(/^[\w.-]{8,}$/)
    expectHeadersOfEveryAnswer(answer)
    expect(await temperatures()).toStrictEqual([[MICROSECONDS, 21.5]])
  })

  // A batch is mostly answered without the routes (docs/decisions/0032). With a header that comes twice it comes to them.
  it('answers and logs the same with and without the routes', async () => {
    const point = site.point('temperature', 21.5, NOON)
    const batch = JSON.stringify([point])
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const machine = await makeMachine(server.access[0]!, 'sends nothing')
    const reading = await giveToken(server.access[0]!, machine, { scope: 'openid data:read' })
    const calls: { readonly [what: string]: Call } = {
      stored: { body: batch, headers: { traceparent } },
      overwritten: { body: JSON.stringify([point, { ...point, value: 3 }]) },
      'strict about repeated times': { body: JSON.stringify([point, point]), headers: { prefer: 'handling=strict' } },
      'stored in part': {
        body: JSON.stringify([point, { ...point, value: 'cold' }]),
        headers: { prefer: 'handling=lenient' },
      },
      wrong: { body: JSON.stringify([{ ...point, value: 'cold' }]) },
      'of another system': { body: JSON.stringify([{ ...point, component_uuid: point.system_uuid }]) },
      'no JSON': { body: '[{' },
      empty: { body: '' },
      compressed: { body: gzipSync(batch), headers: { 'content-encoding': 'gzip' } },
      'badly compressed': { body: batch, headers: { 'content-encoding': 'gzip' } },
      'of an unknown coding': { body: batch, headers: { 'content-encoding': 'compress' } },
      'of a coding that every object has': { body: batch, headers: { 'content-encoding': 'constructor' } },
      'of another type': { body: batch, headers: { 'content-type': 'text/plain' } },
      'too large': { body: ' '.repeat(1_100_000) },
      'with a key that is too long': { body: batch, headers: { 'idempotency-key': 'k'.repeat(256) } },
      'without a token': { body: batch, authorization: null },
      'with a wrong token': { body: batch, authorization: 'Bearer wrong' },
      'with another kind of token': { body: batch, authorization: 'Basic YTpi' },
      'with a token that may not': { body: batch, authorization: `Bearer ${reading}` },
      'to no domain': { body: batch, host: 'nobody.example' },
      'to no host': { body: batch, host: 'a..b' },
      'to a port that there is not': { body: batch, host: `${HOSTS.first}:99999` },
    }
    for (const [what, call] of Object.entries(calls)) {
      const answerTo = async (more: Call['headers']) => {
        const logged = server.log.length
        const answer = await server.call({ path: PATH, ...call, headers: { ...call.headers, ...more } })
        expectHeadersOfEveryAnswer(answer)
        expect([what, answer.status < 500]).toStrictEqual([what, true])
        return comparable(answer, server.log.slice(logged))
      }
      const directly = await answerTo({})
      expect({ what, ...directly }).toStrictEqual({ what, ...(await answerTo({ 'x-twice': ['once', 'again'] })) })
    }
  })

  it.each(['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack'])(
    'takes %s, UUIDs as text or as 16 bytes',
    async (type) => {
      const { value, timestamp, ...uuids } = site.point('temperature', 20.25, new Date(NOON))
      const packed = Object.fromEntries(Object.entries(uuids).map(([field, uuid]) => [field, bytes(String(uuid))]))
      const body = encode([{ ...packed, value, timestamp }, site.point('temperature', 1, Date.parse(NOON) + 1)])
      expect(await send(body, { headers: { 'content-type': type } })).toMatchObject({ status: 201 })
      expect(await temperatures()).toStrictEqual([
        [MICROSECONDS, 20.25],
        [MICROSECONDS + 1_000, 1],
      ])
    },
  )

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('takes a body in %s, and limits what comes out of it', async (coding, compress) => {
    const headers = { 'content-encoding': coding }
    const one = JSON.stringify([site.point('temperature', 3, NOON)])
    expect(await send(compress(one), { headers })).toMatchObject({ status: 201 })
    expect(await temperatures()).toStrictEqual([[MICROSECONDS, 3]])
    const bomb = compress(`[${' '.repeat(4_000_000)}]`)
    expect(bomb.length).toBeLessThan(10_000)
    expect(await send(bomb, { headers })).toMatchObject({ status: 413, json: { code: 'LIMIT_EXCEEDED' } })
    expect(await send(Buffer.from('not compressed'), { headers })).toMatchObject({ status: 400 })
  })

  it.each([
    ['{', 400],
    ['', 400],
    ['{}', 400],
    [Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d), 400],
    [JSON.stringify(Array.from({ length: 10_001 }, () => 0)), 413],
    ['x'.repeat(1_048_577), 413],
  ])('refuses a body that is none: %#', async (body, status) => {
    const answer = await send(body)
    expect(answer).toMatchObject({ status, json: { status, detail: expect.any(String) as unknown } })
    expect(answer.headers['content-type']).toBe('application/problem+json')
  })

  it('refuses a parameter in the query, and names it', async () => {
    const answer = await send(oneOf(21), { path: `${PATH}?dry_run=true` })
    expect(answer).toMatchObject({ status: 400, json: { detail: '"dry_run" is no parameter here; there are none' } })
    expect((await temperatures()) ?? []).toStrictEqual([])
  })

  it('refuses other media types and codings, and says which it takes', async () => {
    const text = await send('[]', { headers: { 'content-type': 'text/plain' } })
    expect(text.status).toBe(415)
    expect(text.headers['accept-post']).toContain('application/vnd.msgpack')
    const coded = await send('[]', { headers: { 'content-encoding': 'compress' } })
    expect(coded.status).toBe(415)
    expect(coded.headers['accept-encoding']).toBe('gzip, deflate, br, zstd')
    expect((await server.call({ path: PATH, method: 'GET' })).status).toBe(405)
  })

  it('stores nothing of a batch with an error, and says where it is', async () => {
    const answer = await sendAll(site.point('temperature', 1, NOON), site.point('temperature', 'warm', NOON))
    expect(answer.status).toBe(422)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.json).toMatchObject({
      status: 422,
      code: 'BAD_USER_INPUT',
      detail: 'one datapoint is wrong; nothing was stored',
      traceId: answer.headers['x-trace-id'],
      errorCount: 1,
      errors: [{ pointer: '/1/value', code: 'wrong-type', detail: expect.any(String) as unknown, retryable: false }],
    })
    expect(await temperatures()).toStrictEqual([])
  })

  it('stores what is good of it where it shall be lenient (RFC 7240)', async () => {
    const body = JSON.stringify([site.point('temperature', 1, NOON), site.point('temperature', 'warm', NOON)])
    const answer = await send(body, { headers: { prefer: 'respond-async, handling=lenient' } })
    expect(answer).toMatchObject({ status: 207, json: { stored: 1, errorCount: 1, errors: [{ pointer: '/1/value' }] } })
    expect(await temperatures()).toStrictEqual([[MICROSECONDS, 1]])
    const good = JSON.stringify([site.point('temperature', 2, NOON)])
    expect((await send(good, { headers: { prefer: 'handling=lenient' } })).status).toBe(201)
  })

  it('keeps all of what has no timestamp, in its order', async () => {
    expect((await sendAll(...[1, 2, 3].map((value) => site.point('temperature', value)))).status).toBe(201)
    expect((await temperatures())?.map(([, value]) => value)).toStrictEqual([1, 2, 3])
  })

  it('says how many points others of the batch took the place of, or refuses them where it shall be strict', async () => {
    const body = JSON.stringify([1, 2, 3].map((value) => site.point('temperature', value, NOON)))
    const strict = await send(body, { headers: { prefer: 'handling=strict' } })
    expect(strict).toMatchObject({
      status: 422,
      json: {
        errorCount: 2,
        errors: [
          { pointer: '/1/timestamp', code: 'repeated-timestamp', sameAs: '/0/timestamp' },
          { pointer: '/2/timestamp', code: 'repeated-timestamp', sameAs: '/1/timestamp' },
        ],
      },
    })
    // The second time it is read by the way it is known to be written.
    for (let time = 0; time < 2; time++) {
      const answer = await send(body)
      expect({ status: answer.status, overwritten: answer.headers['x-overwritten-points'] }).toStrictEqual({
        status: 201,
        overwritten: '2',
      })
    }
    expect(await temperatures()).toStrictEqual([[MICROSECONDS, 3]])
    expect((await sendAll(site.point('temperature', 1))).headers).not.toHaveProperty('x-overwritten-points')
  })

  it('says of each error whether time may heal it', async () => {
    const ahead = await sendAll(site.point('temperature', 1, Date.now() + 3_600_000))
    expect(ahead.json).toMatchObject({ errors: [{ code: 'timestamp-ahead', retryable: true }] })
    const [component = ''] = site.componentUuids
    const errorsWith = async (status: 'ACTIVATED' | 'DEACTIVATED' | 'ARCHIVED') => {
      await updateComponent(context, EVERYWHERE, component, { status })
      return (await sendAll(site.point('temperature', 1))).json
    }
    const field = '/0/component_uuid'
    expect(await errorsWith('DEACTIVATED')).toMatchObject({
      errors: [{ pointer: field, code: 'deactivated', retryable: true }],
    })
    expect(await errorsWith('ARCHIVED')).toMatchObject({
      errors: [{ pointer: field, code: 'archived', retryable: false }],
    })
    expect(await errorsWith('ACTIVATED')).toBeUndefined()
  })

  it('knows nothing of the systems of another domain', async () => {
    const answer = await send(JSON.stringify([site.point('temperature', 1, NOON)]), { host: HOSTS.second })
    expect(answer).toMatchObject({ status: 422, json: { errors: [{ code: 'unknown-component' }] } })
  })

  it('lets a device send for its own system only', async () => {
    const other = await createSystem(context, EVERYWHERE, { name: 'Another' })
    const body = JSON.stringify([site.point('temperature', 1, NOON)])
    const own = await token(site.systemUuid)
    expect((await send(body, { authorization: `Bearer ${own}` })).status).toBe(201)
    const foreign = await send(body, { authorization: `Bearer ${await token(other.uuid)}` })
    expect(foreign).toMatchObject({ status: 403, json: { code: 'FORBIDDEN', errors: [{ code: 'not-allowed' }] } })
    // Nor does it learn whether there is a component of another system.
    const far = body.replace(site.systemUuid, other.uuid)
    const answer = await send(far, { authorization: `Bearer ${await token(other.uuid)}` })
    expect(answer).toMatchObject({ status: 422, json: { errors: [{ code: 'unknown-component' }] } })
    expect(await send(far)).toMatchObject({ status: 422, json: { errors: [{ code: 'unknown-system' }] } })
  })

  it('asks for a token, and for one that may send', async () => {
    expect((await send('[]', { authorization: null })).status).toBe(401)
    expect((await send('[]', { authorization: 'Bearer nobody' })).status).toBe(401)
    const reader = await giveToken(context, { uuid: crypto.randomUUID() }, { scope: 'data:read' })
    expect((await send('[]', { authorization: `Bearer ${reader}` })).status).toBe(401)
  })

  it('a batch sent again with its key is the same batch; with another body it is refused', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await send(oneOf(1), { headers })
    await send(oneOf(2))
    const again = await send(oneOf(1), { headers })
    expect([first.status, again.status]).toStrictEqual([201, 201])
    expect(again.headers['x-service-change']).toBe(first.headers['x-service-change'])
    expect(await temperatures()).toHaveLength(2)
    expect((await send(oneOf(2), { headers })).status).toBe(409)
  })

  it('answers as many requests at once as come, each for itself', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => sendAll(...twoOf(index))))
    expect(answers.map(({ status }) => status)).toStrictEqual(answers.map((_, index) => (index % 3 === 0 ? 422 : 201)))
    expect((await temperatures())?.map(([, value]) => value)).toStrictEqual(
      Array.from(answers.keys()).filter((index) => index % 3 !== 0),
    )
  })
})
