import { describe, expect, it } from 'vitest'
import { site, thermostat, useWorld, watched } from './world.ts'

useWorld()

const PENDING = '/rest/v1/set-points/pending'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

describe('setpoints', () => {
  it('are set, taken by the device, and answered', async () => {
    const { holdfast: app } = watched()
    const { holdfast: device } = watched()
    const kitchen = app.component('thermostat', thermostat)
    const leave = new AbortController()
    const taken = device.component('thermostat', thermostat).takeSetpoints({ signal: leave.signal })
    // The device waits before there is one.
    const first = taken.next()
    const set = await kitchen.setSetpoint('heating/mode', 'away', { expiresIn: 'PT1H' })
    expect(set).toMatchObject({ state: 'PENDING', service: 'heating', characteristic: 'mode', value: 'away' })
    const { value } = await first
    expect(value).toMatchObject({ uuid: set.uuid, component: thermostat, path: 'heating/mode', value: 'away' })
    await device.answerSetpoints([{ uuid: set.uuid, state: 'ACKNOWLEDGED' }])
    await device.answerSetpoints([{ uuid: set.uuid, state: 'REJECTED', reason: 'nobody is away' }])
    expect(await device.pendingSetpoints({ components: [thermostat] })).toStrictEqual([])
    await expect(device.answerSetpoints([{ uuid: set.uuid, state: 'APPLIED' }])).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
      details: [{ code: 'wrong-state' }],
    })
    const next = taken.next()
    leave.abort(new Error('the device stops'))
    await expect(next).rejects.toThrow('the device stops')
  })

  it('that the device does not answer come again, after a pause', async () => {
    const { holdfast, clock } = watched()
    await holdfast.component('thermostat', thermostat).setSetpoint('heating/target', 22)
    const taken = holdfast.takeSetpoints({ components: [thermostat] })
    const values = [await taken.next(), await taken.next(), await taken.next()].map(({ value }) => value.value)
    expect(values).toStrictEqual([22, 22, 22])
    expect(clock.waits).toStrictEqual([5_000, 5_000])
    await taken.return(undefined as never)
  })

  it('are asked for again after a pause, if the answer came at once', async () => {
    const { holdfast, answer, clock } = watched()
    const pending = { ...Object.fromEntries(['uuid', 'component_uuid'].map((name) => [name, UNKNOWN])), value: 1 }
    answer(PENDING, Response.json([]), Response.json([]), Response.json([pending]))
    const taken = holdfast.takeSetpoints()
    // Somebody may have deleted the component of a setpoint, or taken its right away.
    expect((await taken.next()).value).toMatchObject({ uuid: UNKNOWN, component: UNKNOWN, path: null, value: 1 })
    expect(clock.waits).toStrictEqual([5_000, 5_000])
    await taken.return(undefined as never)
  })

  it.each([Response.json({}), new Response('<html>')])('do not come from another program', async (response) => {
    const { holdfast, answer } = watched()
    answer(PENDING, response)
    await expect(holdfast.takeSetpoints().next()).rejects.toMatchObject({ code: 'INTERNAL', retryable: false })
  })

  it('are not answered if another program takes the answer', async () => {
    const { holdfast, answer } = watched()
    answer('/rest/v1/set-points/acknowledge', new Response('<html>'))
    const answering = holdfast.answerSetpoints([{ uuid: UNKNOWN, state: 'APPLIED' }])
    await expect(answering).rejects.toMatchObject({ code: 'INTERNAL', retryable: false })
  })

  it('of too many components are refused before they are asked for', async () => {
    const { holdfast, requests } = watched()
    const pendingOf = (count: number) =>
      holdfast.pendingSetpoints({ components: Array.from({ length: count }, () => site.boiler) })
    await expect(pendingOf(201)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', status: 0 })
    expect(requests).toHaveLength(0)
    expect(await pendingOf(200)).toStrictEqual([])
  })

  it('that are wrong are refused with a reason', async () => {
    const { holdfast } = watched()
    const kitchen = holdfast.component('thermostat', site.thermostats[1])
    await expect(kitchen.setSetpoint('heating/target', 99)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})
