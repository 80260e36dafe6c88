import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/api-client/index.ts'
import { DATABASES } from '../support/databases.ts'
import { ADD, allOf, minute, site, thermostat, useWorld, watched } from './world.ts'

describe.each(DATABASES)('a client reads on $name', (kind) => {
  useWorld(kind)

  it('the latest value, with its time', async () => {
    const { holdfast } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    expect(await kitchen.latest('heating/temperature')).toBeNull()
    await kitchen.send({ 'heating/temperature': 20.5, 'heating/mode': 'away' }, { timestamp: minute(1) })
    expect(await kitchen.latest('heating/temperature')).toBe(20.5)
    expect(await kitchen.latestPoint('heating/mode')).toStrictEqual({
      timestamp: minute(1).toISOString(),
      value: 'away',
    })
    expect(await kitchen.latest('heating/mode', { before: minute(1) })).toBeNull()
    const { serviceChange } = await kitchen.send({ 'heating/temperature': 20.5 }, { timestamp: minute(1) })
    expect(await kitchen.latest('heating/temperature', { serviceChange })).toBe(20.5)
    await expect(kitchen.latest('heating/pump', { serviceChange: 'that of another platform' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    })
  })

  it('the latest values of several components by one request, in the given order', async () => {
    const { holdfast, requests } = watched()
    const [kitchen, hall] = site.thermostats.map((uuid) => holdfast.component('thermostat', uuid))
    const boiler = holdfast.component('boiler', site.boiler)
    if (kitchen === undefined || hall === undefined) throw new Error('there is no site')
    await boiler.send({ 'heating/temperature': 61 }, { timestamp: minute(2) })
    const before = requests.length
    const latest = await holdfast.latest([
      boiler.at('heating/temperature'),
      hall.at('heating/pump'),
      kitchen.at('heating/temperature'),
    ])
    expect(latest.map((point) => point?.value ?? null)).toStrictEqual([61, null, 20.5])
    // One look-up of the unknown components, and one query.
    expect(requests.length - before).toBe(2)
  })

  it('a range page by page', async () => {
    const { holdfast, requests } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    const points = Array.from({ length: 25 }, (_, index) => kitchen.point('heating/limit', index, minute(index)))
    await holdfast.send(points)
    const read = await allOf(kitchen.range('heating/limit', { from: minute(1), to: minute(24), first: 10 }))
    expect(read.map(({ value }) => value)).toStrictEqual(Array.from({ length: 23 }, (_, index) => index + 1))
    expect(requests.filter(({ body }) => body.includes('query Page'))).toHaveLength(3)
    const { points: newest, next } = await kitchen.page('heating/limit', { first: 2, order: 'NEWEST_FIRST' })
    expect([newest.map(({ value }) => value), next]).toStrictEqual([[24, 23], expect.any(String)])
  })

  it('buckets, curves and states', async () => {
    const kitchen = watched().holdfast.component('thermostat', thermostat)
    const range = { from: minute(0), to: minute(20) }
    const buckets = await kitchen.curve('heating/limit', { ...range, interval: 'PT10M', aggregations: ['min', 'avg'] })
    expect(buckets).toMatchObject([
      { from: minute(0).toISOString(), min: 0, avg: 4.5 },
      { from: minute(10).toISOString(), min: 10, avg: 14.5 },
    ])
    const curve = await kitchen.curve('heating/limit', { ...range, maxPoints: 5 })
    expect([curve[0]?.value, curve.at(-1)?.value]).toStrictEqual([0, 19])
    const states = await kitchen.curve('heating/mode', { ...range, maxPoints: 5 })
    expect(states).toMatchObject([{ from: minute(1).toISOString(), value: 'away', count: 1 }])
  })

  it('paths and components that there are, and says which', async () => {
    const { holdfast, requests } = watched()
    const untyped: { component(model: string, uuid: string): { latest(path: string): Promise<unknown> } } = holdfast
    await expect(untyped.component('thermostat', thermostat).latest('heating/x')).rejects.toThrow(
      `the component ${thermostat} has no path "heating/x"; its paths are: heating/limit, heating/mode, `,
    )
    await expect(untyped.component('boiler', thermostat).latest('heating/temperature')).rejects.toThrow(
      `the component ${thermostat} is a thermostat, not a boiler`,
    )
    const nobody = '00000000-0000-4000-8000-000000000000'
    await expect(untyped.component('boiler', nobody).latest('heating/temperature')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `there is no component ${nobody}, or not for this account`,
    })
    expect(requests.some(({ path }) => path === ADD)).toBe(false)
  })

  it('what the account may read, and throws one class of errors otherwise', async () => {
    const { holdfast } = watched({ token: 'wrong' })
    const error: unknown = await holdfast
      .component('thermostat', thermostat)
      .latest('heating/pump')
      .catch((e) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      retryable: false,
    })
    const { holdfast: other } = watched()
    const late: unknown = await other
      .component('thermostat', thermostat)
      .page('heating/limit', { from: 'yesterday' })
      .catch((e) => e)
    expect(late).toMatchObject({ code: 'BAD_USER_INPUT', status: 200, traceId: expect.any(String) })
    expect(late).toBeInstanceOf(ApiError)
  })
})
