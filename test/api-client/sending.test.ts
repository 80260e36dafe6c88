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
    await applyAll(context, withType('BOOLEAN'))
    const sent = { component: thermostat, path: 'heating/temperature' }
    await holdfast.send([{ ...sent, value: true, timestamp: minute(5.5) }])
    expect(await kitchen.latest('heating/temperature', { before: minute(6) })).toBe(true)
    await holdfast.send([{ ...sent, value: false, timestamp: minute(4) }])
    expect(await kitchen.latest('heating/temperature', { before: minute(5.2) })).toBe(20)
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
