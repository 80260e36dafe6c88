import { describe, expect, it } from 'vitest'
import { MOST_IN_BATCH } from '../../src/api-client/encode-points.ts'
import { DEFAULT_LIMITS } from '../../src/server/requests/limits.ts'
import { applyAll } from '../support/domain.ts'
import { SETTING_MODEL } from '../support/setting-site.ts'
import { context } from '../server/one-server.ts'
import { ADD, allOf, minute, thermostat, useWorld, watched } from './world.ts'

useWorld()

const batchesOf = (requests: ReturnType<typeof watched>['requests']) => requests.filter(({ path }) => path === ADD)

function numbers(count: number, from = 0) {
  const kitchen = watched().holdfast.component('thermostat', thermostat)
  return Array.from({ length: count }, (_, index) => kitchen.point('heating/limit', index, minute(from + index)))
}

describe('a client sends', () => {
  it('any number of datapoints, in batches of the limits of the platform', async () => {
    expect(MOST_IN_BATCH).toStrictEqual({ points: DEFAULT_LIMITS.batchPoints, bytes: DEFAULT_LIMITS.batchBytes })
    const { holdfast, requests } = watched()
    const sent = await holdfast.send(numbers(20_001))
    expect(sent).toStrictEqual({ stored: 20_001, rejected: [], rejectedCount: 0, serviceChange: expect.any(String) })
    expect(batchesOf(requests).map(({ body }) => body.split('{').length - 1)).toStrictEqual([10_000, 10_000, 1])
    const keys = batchesOf(requests).map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(3)
    const kitchen = holdfast.component('thermostat', thermostat)
    expect(await allOf(kitchen.range('heating/limit'))).toHaveLength(20_001)
  })

  it('large datapoints in batches by their bytes, and names one that is too large', async () => {
    const { holdfast, requests } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    const schedule = Array.from({ length: 50_000 }, (_, index) => 100_000 + index)
    const points = [1, 2, 3, 4].map((index) => kitchen.point('heating/schedule', schedule, minute(index)))
    await holdfast.send(points)
    // Three of them have more than 150,000 values, which the platform refuses, and the client halves the batch.
    expect(batchesOf(requests).map(({ body }) => body.split('"value"').length - 1)).toStrictEqual([4, 2, 2])
    const large = kitchen.point(
      'heating/schedule',
      Array.from({ length: 2_500_000 }, () => 1_000_000),
      minute(1),
    )
    await expect(holdfast.send([...points, large])).rejects.toThrow(
      /^the datapoint 4 has [\d,]+ bytes, but a batch may have at most 16 MiB; it was not sent; the 4 datapoints before are stored$/,
    )
  })

  it('nothing of a batch with a wrong datapoint, and says which one it is', async () => {
    const { holdfast } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    const points = [...numbers(10_000, 50_000), kitchen.point('heating/target', 99, minute(0))]
    await expect(holdfast.send(points)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      status: 422,
      message: 'one datapoint is wrong; nothing was stored; the 10,000 datapoints before are stored',
      details: [{ index: 10_000, pointer: '/10000/value', code: 'out-of-bounds', retryable: false }],
    })
    const sent = await holdfast.send(points, { lenient: true })
    expect(sent).toMatchObject({ stored: 10_000, rejectedCount: 1, rejected: [{ index: 10_000 }] })
  })

  it('the same as MessagePack', async () => {
    const { holdfast, requests } = watched({ format: 'msgpack' })
    const kitchen = holdfast.component('thermostat', thermostat.toUpperCase())
    await kitchen.send(
      { 'heating/target': 21.5, 'heating/pump': true, 'heating/mode': 'auto', 'heating/schedule': [1, 2] },
      { timestamp: minute(90_000) },
    )
    expect(batchesOf(requests)[0]?.headers.get('content-type')).toBe('application/vnd.msgpack')
    const paths = ['heating/target', 'heating/pump', 'heating/mode', 'heating/schedule'] as const
    const latest = await holdfast.latest(paths.map((path) => kitchen.at(path)))
    expect(latest.map((point) => point?.value)).toStrictEqual([21.5, true, 'auto', [1, 2]])
  })

  it('without a time, and without a datapoint', async () => {
    const { holdfast, requests } = watched()
    expect(await holdfast.send([])).toMatchObject({ stored: 0 })
    expect(requests).toHaveLength(0)
    await holdfast.component('thermostat', thermostat).send({ 'heating/temperature': 19 })
    const point = await holdfast.component('thermostat', thermostat).latestPoint('heating/temperature')
    expect(Date.parse(point?.timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('after the model has changed, with the uuids of the new one', async () => {
    const [seeing, blind] = [watched(), watched()]
    const [kitchen, other] = [seeing, blind].map(({ holdfast }) => holdfast.component('thermostat', thermostat))
    if (kitchen === undefined || other === undefined) throw new Error('there are two')
    for (const one of [kitchen, other]) await one.send({ 'heating/pump': true }, { timestamp: minute(0) })
    await applyAll(context, WITHOUT_PUMP)
    await expect(kitchen.send({ 'heating/pump': true })).rejects.toThrow('has no path "heating/pump"')
    // The characteristic has another uuid from now on. One client has seen that it is gone, the other one has not.
    await applyAll(context, SETTING_MODEL)
    await kitchen.send({ 'heating/pump': false }, { timestamp: minute(1) })
    await other.send({ 'heating/pump': true }, { timestamp: minute(2) })
    const uuids = batchesOf(blind.requests).map(({ body }) => /"characteristic_uuid":"(.*?)"/.exec(body)?.[1])
    expect([uuids.length, uuids[0] === uuids[1], uuids[1] === uuids[2]]).toStrictEqual([3, true, false])
    expect((await kitchen.page('heating/pump')).points.map(({ value }) => value)).toStrictEqual([false, true])
  })
})

describe('a client that sends', () => {
  it('leniently after the model has changed sends the rejected datapoints again', async () => {
    const { holdfast, requests } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    await kitchen.send({ 'heating/pump': true }, { timestamp: minute(0) })
    await applyAll(context, WITHOUT_PUMP)
    await applyAll(context, SETTING_MODEL)
    const points = [
      kitchen.point('heating/target', 99, minute(100_001)),
      kitchen.point('heating/pump', false, minute(100_001)),
      kitchen.point('heating/limit', 5, minute(100_001)),
    ]
    const rejected = [{ index: 0, pointer: '/0/value', code: 'out-of-bounds' }]
    expect(await holdfast.send(points, { lenient: true })).toMatchObject({ stored: 2, rejectedCount: 1, rejected })
    expect(batchesOf(requests).map(({ body }) => body.split('"value"').length - 1)).toStrictEqual([1, 3, 1])
    expect(await kitchen.latest('heating/pump')).toBe(false)
    await applyAll(context, WITHOUT_PUMP)
    const gone = await holdfast.send(points, { lenient: true })
    expect(gone).toMatchObject({ stored: 1, rejectedCount: 2, rejected: [{ index: 0 }, { index: 1 }] })
    await applyAll(context, SETTING_MODEL)
  })

  it('too much for the platform finds the size of a batch once', async () => {
    const sizes: number[] = []
    const { holdfast } = watched({
      async fetch(request) {
        if (new URL(request.url).pathname !== ADD) return fetch(request)
        const size = (await request.clone().text()).split('"value"').length - 1
        sizes.push(size)
        const refusal = { detail: 'too many', code: 'LIMIT_EXCEEDED', traceId: 'a'.repeat(32) }
        return size > 3 ? Response.json(refusal, { status: 413 }) : fetch(request)
      },
    })
    expect(await holdfast.send(numbers(9, 200_000))).toMatchObject({ stored: 9 })
    expect(sizes).toStrictEqual([9, 5, 3, 3, 3])
  })

  it.each([
    ['a login page', new Response('<html>', { status: 200 })],
    ['a proxy that changes bodies', new Response('<html>', { status: 207, headers: { 'x-service-change': 'x' } })],
  ])('to %s stores nothing, and says so', async (_, response) => {
    const { holdfast, answer, clock } = watched()
    answer(ADD, response)
    await expect(holdfast.send(numbers(1, 250_000))).rejects.toMatchObject({ code: 'INTERNAL', retryable: false })
    expect(clock.waits).toStrictEqual([])
  })

  it('too often keeps the size of the batch', async () => {
    const { holdfast, answer, requests } = watched({ retry: { totalMs: 10_000 } })
    const busy = { detail: 'too often', code: 'LIMIT_EXCEEDED', traceId: 'a'.repeat(32) }
    answer(ADD, ...Array.from({ length: 50 }, () => Response.json(busy, { status: 429 })))
    await expect(holdfast.send(numbers(9, 260_000))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', retryable: true })
    const sizes = batchesOf(requests).map(({ body }) => body.split('"value"').length - 1)
    expect(new Set(sizes)).toStrictEqual(new Set([9]))
  })

  it('without a right gets the details of the refusal as they are', async () => {
    const { holdfast, answer } = watched()
    const refusal = { detail: 'a right is missing', code: 'FORBIDDEN', errors: [{ right: 'data:write' }] }
    answer(ADD, Response.json(refusal, { status: 403 }))
    const sending = holdfast.component('thermostat', thermostat).send({ 'heating/limit': 1 })
    await expect(sending).rejects.toMatchObject({ code: 'FORBIDDEN', details: [{ right: 'data:write' }] })
  })
})

const micro = (index: number, fraction: number): string => minute(index).toISOString().replace('Z', `${fraction}Z`)

const withType = (dataType: string) => ({
  ...SETTING_MODEL,
  characteristics: SETTING_MODEL.characteristics.map((one) =>
    one.code === 'temperature' ? { ...one, dataType } : one,
  ),
})

describe('a client reads', () => {
  it('the newest value after a change of the type', async () => {
    const { holdfast } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    await kitchen.send({ 'heating/temperature': 20 }, { timestamp: minute(5) })
    expect(await kitchen.latest('heating/temperature', { before: minute(6) })).toBe(20)
    const sent = { component: thermostat, path: 'heating/temperature' }
    await holdfast.send([
      { ...sent, value: 7, timestamp: micro(7, 100) },
      { ...sent, value: 8, timestamp: micro(8, 900) },
    ])
    await applyAll(context, withType('BOOLEAN'))
    await holdfast.send([{ ...sent, value: true, timestamp: minute(5.5) }])
    expect(await kitchen.latest('heating/temperature', { before: minute(6) })).toBe(true)
    await holdfast.send([{ ...sent, value: false, timestamp: minute(4) }])
    expect(await kitchen.latest('heating/temperature', { before: minute(5.2) })).toBe(20)
    await holdfast.send([
      { ...sent, value: true, timestamp: micro(7, 900) },
      { ...sent, value: true, timestamp: micro(8, 100) },
    ])
    expect(await kitchen.latest('heating/temperature', { before: minute(7.5) })).toBe(true)
    expect(await kitchen.latest('heating/temperature', { before: minute(8.5) })).toBe(8)
    const named = { component: thermostat.toUpperCase(), path: 'heating/temperature' }
    expect(await holdfast.latest([named], { before: minute(8.5) })).toMatchObject([{ value: 8 }])
    await applyAll(context, SETTING_MODEL)
  })
})

const isNotPump = ({ code }: { readonly code: string }): boolean => code !== 'pump'

const WITHOUT_PUMP = {
  ...SETTING_MODEL,
  characteristics: SETTING_MODEL.characteristics.filter(isNotPump),
  services: SETTING_MODEL.services.map((service) => ({
    ...service,
    characteristics: service.characteristics.filter(isNotPump),
  })),
}
