import { encode } from '@msgpack/msgpack'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import type { SettingSite } from '../support/setting-site.ts'
import { add, allSetpoints, statesOf } from '../platform/setpoints/support.ts'
import { ACKNOWLEDGE, ADD, settingServer, type SettingServer } from './setting-server.ts'
import { expectHeadersOfEveryAnswer, HOSTS, type Call, type TestServer } from './test-server.ts'

const bytes = (uuid: unknown) => Buffer.from(String(uuid).replaceAll('-', ''), 'hex')

describe.each(SAMPLED_DATABASES)('set-points on $name', (kind) => {
  const served = settingServer(kind)
  let server: TestServer
  let context: DomainContext
  let site: SettingSite
  let device: SettingServer['device']
  let post: SettingServer['post']
  let pending: SettingServer['pending']
  beforeAll(() => {
    ;({ server, context, site, device, post, pending } = served())
  })

  const acknowledge = (body: unknown, call: Call = {}) =>
    post(ACKNOWLEDGE, body, { authorization: device.authorization, ...call })
  const uuids = async (): Promise<string[]> => ((await pending()).json as { uuid: string }[]).map(({ uuid }) => uuid)

  describe(`POST ${ADD}`, () => {
    it('answers 201 with nothing in it, when everything is stored', async () => {
      const answer = await post(ADD, [site.element('target', 21.5), site.element('mode', 'away')])
      expect(answer).toMatchObject({ status: 201, text: '' })
      expect(answer.headers).toMatchObject({
        'content-length': '0',
        'x-service-change': expect.stringMatching(/\.s/) as unknown,
      })
      expectHeadersOfEveryAnswer(answer)
      expect((await statesOf(context)).sort()).toEqual(['mode "away" PENDING', 'target 21.5 PENDING'])
      expect(await allSetpoints(context)).toMatchObject([{ actor: 'operator' }, { actor: 'operator' }])
    })

    it('takes MessagePack and compressed bodies', async () => {
      const { value, ...uuids } = site.element('target', 20)
      const packed = Object.fromEntries(Object.entries(uuids).map(([field, uuid]) => [field, bytes(uuid)]))
      const body = encode([{ ...packed, value, timestamp: new Date() }])
      const headers = { 'content-type': 'application/vnd.msgpack' }
      expect(await post(ADD, body, { headers })).toMatchObject({ status: 201 })
      const zipped = gzipSync(JSON.stringify([site.element('pump', true)]))
      expect(await post(ADD, zipped, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ status: 201 })
      expect((await statesOf(context)).sort()).toEqual(['pump true PENDING', 'target 20 PENDING'])
    })

    it('stores nothing of a batch with an error, and what is good of it where it shall be lenient', async () => {
      const batch = [site.element('target', 20), site.element('temperature', 20)]
      expect(await post(ADD, batch)).toMatchObject({
        status: 422,
        json: {
          detail: 'one setpoint is wrong; nothing was stored',
          errors: [{ pointer: '/1/characteristic_uuid', code: 'not-settable', retryable: false }],
        },
      })
      expect(await statesOf(context)).toEqual([])
      const lenient = await post(ADD, batch, { headers: { prefer: 'handling=lenient' } })
      expect(lenient).toMatchObject({ status: 207, json: { stored: 1, errorCount: 1 } })
      expect(await statesOf(context)).toEqual(['target 20 PENDING'])
    })

    it.each([
      ['{', 400, 'the body is not valid JSON'],
      ['', 400, 'send a JSON array of setpoints'],
      ['{}', 400, 'the body must be an array of setpoints, also for one'],
      [JSON.stringify(Array.from({ length: 101 }, () => 0)), 413, 'a batch of setpoints may have at most 100'],
    ])('refuses a body that is none: %s', async (body, status, detail) => {
      const answer = await server.call({ path: ADD, body })
      expect(answer).toMatchObject({ status, json: { detail: expect.stringContaining(detail) as unknown } })
    })

    it('is not for devices, nor for those who may only send', async () => {
      const { authorization } = device
      expect(await post(ADD, [], { authorization })).toMatchObject({ status: 403 })
      expect((await post(ADD, [], { authorization: null })).status).toBe(401)
      expect((await server.call({ method: 'GET', path: ADD })).headers['allow']).toBe('POST')
    })

    it('knows nothing of another domain; a key makes a batch one', async () => {
      const there = await post(ADD, [site.element('target', 20)], { host: HOSTS.second })
      expect(there).toMatchObject({ status: 422, json: { errors: [{ code: 'unknown-component' }] } })
      const headers = { 'idempotency-key': 'one' }
      expect((await post(ADD, [site.element('target', 20)], { headers })).status).toBe(201)
      expect((await post(ADD, [site.element('target', 20)], { headers })).status).toBe(201)
      expect((await post(ADD, [site.element('target', 21)], { headers })).status).toBe(409)
      expect(await statesOf(context)).toEqual(['target 20 PENDING'])
    })
  })

  describe(`POST ${ACKNOWLEDGE}`, () => {
    it('answers 204 where all answers are taken, in JSON and MessagePack', async () => {
      await add(context, site.element('target', 21))
      const [uuid = ''] = await uuids()
      const answer = await acknowledge([{ uuid, state: 'ACKNOWLEDGED' }])
      expect(answer).toMatchObject({ status: 204, text: '' })
      expect(answer.headers['x-service-change']).toMatch(/\.s/)
      expect((await pending()).json).toEqual([])
      const body = encode([{ uuid: bytes(uuid), state: 'REJECTED', reason: 'stuck' }])
      const headers = { 'content-type': 'application/msgpack' }
      expect(await acknowledge(body, { headers })).toMatchObject({ status: 204 })
      expect(await allSetpoints(context)).toMatchObject([{ state: 'REJECTED', reason: 'stuck' }])
    })

    it('what is over is a 409 with the present state, what is wrong a 422; both by index', async () => {
      await add(context, site.element('target', 20), site.element('target', 21))
      const [uuid = ''] = await uuids()
      await acknowledge([{ uuid, state: 'REJECTED' }])
      const late = { uuid, state: 'APPLIED' }
      expect(await acknowledge([late])).toMatchObject({
        status: 409,
        json: {
          code: 'CONFLICT',
          detail: 'one answer is wrong; nothing was stored',
          errors: [
            { pointer: '/0/state', code: 'wrong-state', detail: expect.stringContaining('REJECTED') as unknown },
          ],
        },
      })
      const unknown = { uuid: crypto.randomUUID(), state: 'APPLIED' }
      expect(await acknowledge([late, unknown])).toMatchObject({ status: 422, json: { errorCount: 2 } })
      const lenient = await acknowledge([{ uuid, state: 'REJECTED' }, unknown], {
        headers: { prefer: 'handling=lenient' },
      })
      expect(lenient).toMatchObject({ status: 207, json: { stored: 1, errorCount: 1 } })
    })

    it('a device answers only for its own system', async () => {
      await add(context, site.element('target', 20))
      const other = await served().makeDevice(site.systems[1])
      const [uuid = ''] = await uuids()
      const answer = await acknowledge([{ uuid, state: 'APPLIED' }], { authorization: other.authorization })
      expect(answer).toMatchObject({ status: 422, json: { errors: [{ code: 'unknown-setpoint' }] } })
      expect(await statesOf(context)).toEqual(['target 20 SENT'])
    })
  })

  it('a whole life: set, given, acknowledged, reported', async () => {
    await served().set(21)
    const [given] = (await pending('?wait=60')).json as [{ uuid: string }]
    await post(ACKNOWLEDGE, [{ uuid: given.uuid, state: 'ACKNOWLEDGED' }], { authorization: device.authorization })
    const report = await post('/rest/v1/data-points/add', [site.element('target', 21)], device)
    expect(report.status).toBe(201)
    const { setpoint } = await server.data<{ setpoint: object }>(
      `query ($uuid: ID!) { setpoint(uuid: $uuid) { state value characteristic actor } }`,
      { uuid: given.uuid },
    )
    expect(setpoint).toEqual({ state: 'APPLIED', value: 21, characteristic: 'target', actor: 'operator' })
  })
})
