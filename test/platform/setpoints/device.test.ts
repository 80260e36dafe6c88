import { beforeEach, describe, expect, it } from 'vitest'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { answerSetpoints } from '../../../src/platform/setpoints/answer-setpoints.ts'
import { expireSetpoints } from '../../../src/platform/setpoints/expire-setpoints.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { SETPOINT_LIMITS } from '../../../src/platform/setpoints/setpoint.ts'
import { targetOfDevice } from '../../../src/platform/setpoints/take-pending.ts'
import { updateComponent } from '../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { notedChanges } from '../../support/noted-changes.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add, allSetpoints, answer, ANYBODY, deviceOf, statesOf, take } from './support.ts'

const valuesOf = (setpoints: readonly { readonly value: unknown }[]) => setpoints.map(({ value }) => value)

describe.each(SAMPLED_DATABASES)('setpoints at the device on $name', (kind) => {
  const domain = oneDomain(kind)
  const noted = () => notedChanges(domain().database, 'setpoints')
  let site: SettingSite
  beforeEach(async () => {
    site = await makeSettingSite(domain())
  })

  /** Sets it, and gives its uuid. */
  const setOne = async (value = 21): Promise<string> => {
    await add(domain(), site.element('target', value))
    return (await allSetpoints(domain())).find(({ state }) => state === 'PENDING')?.uuid ?? ''
  }
  const later = (ms: number) => ({ ...domain(), now: () => new Date(Date.now() + ms) })

  it('are given to it until it acknowledges them, what is new first', async () => {
    const [home] = site.systems
    await add(domain(), site.element('target', 21))
    expect(await take(domain(), home)).toMatchObject([{ value: 21, state: 'SENT' }])
    expect(await statesOf(domain())).toEqual(['target 21 SENT'])
    const [first] = await take(domain(), home)
    await add(domain(), site.element('mode', 'away'))
    expect(valuesOf(await take(domain(), home))).toEqual(['away', 21])
    await answer(domain(), { uuid: first?.uuid, state: 'ACKNOWLEDGED' })
    expect(valuesOf(await take(domain(), home))).toEqual(['away'])
  })

  it('are given to the system, or to the components, that they are for', async () => {
    const [home, other] = site.systems
    const [kitchen, hall, far] = site.thermostats
    await add(domain(), site.element('target', 20), site.element('target', 21, { component: hall }))
    await add(domain(), site.element('target', 22, { component: far, system: other }))
    expect(valuesOf(await take(domain(), other))).toEqual([22])
    expect(valuesOf(await take(domain(), home, [hall]))).toEqual([21])
    expect(valuesOf(await take(domain(), home)).sort()).toEqual([20, 21])
    const gateway = await targetOfDevice(domain(), ANYBODY, [kitchen, far, kitchen])
    expect(gateway).toEqual({ system: null, components: [kitchen, far], units: null })
    await expect(take(domain(), other, [kitchen])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(targetOfDevice(domain(), ANYBODY, [])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    const many = Array.from({ length: SETPOINT_LIMITS.components + 1 }, () => crypto.randomUUID())
    await expect(targetOfDevice(domain(), ANYBODY, many)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('wait where the device may not do them any more, until it may again', async () => {
    const [home] = site.systems
    await add(domain(), site.element('target', 28), site.element('pump', true))
    await updateRecord(domain(), 'characteristics', 'target', { boundaryMax: 25 }, ['invalidates-data'])
    await updateComponent(domain(), EVERYWHERE, site.thermostats[0], { status: 'DEACTIVATED' })
    expect(await take(domain(), home)).toEqual([])
    await updateComponent(domain(), EVERYWHERE, site.thermostats[0], { status: 'ACTIVATED' })
    expect(valuesOf(await take(domain(), home))).toEqual([true])
    await updateRecord(domain(), 'characteristics', 'target', { boundaryMax: 30 }, [])
    expect(valuesOf(await take(domain(), home))).toEqual([28, true])
  })

  it('are acknowledged, applied or rejected, with what the device has to say', async () => {
    const uuid = await setOne()
    const result = await answer(domain(), { uuid: uuid.toUpperCase(), state: 'ACKNOWLEDGED' })
    expect(result).toMatchObject({ stored: 1, errorCount: 0 })
    expect(await statesOf(domain())).toEqual(['target 21 ACKNOWLEDGED'])
    await answer(domain(), { uuid, state: 'REJECTED', reason: 'the valve\nis "stuck" 😀' })
    const [after] = await allSetpoints(domain())
    expect(after).toMatchObject({ state: 'REJECTED', reason: 'the valve\nis "stuck" 😀' })
    expect(await noted()).toEqual([uuid, uuid, uuid])
  })

  it('the same answer again is fine and changes nothing; one that includes another is as good', async () => {
    const uuid = await setOne()
    await answer(domain(), { uuid, state: 'ACKNOWLEDGED' }, { uuid, state: 'APPLIED', reason: 'done' })
    const [before] = await allSetpoints(domain())
    expect(before).toMatchObject({ state: 'APPLIED', reason: 'done' })
    for (const state of ['APPLIED', 'ACKNOWLEDGED'])
      expect(await answer(domain(), { uuid, state })).toMatchObject({ stored: 1, errorCount: 0 })
    expect(await allSetpoints(domain())).toEqual([before])
  })

  it('what is over stays so: the present state is told, and nothing of the batch is taken', async () => {
    const old = await setOne(20)
    const uuid = await setOne(21)
    const result = await answer(domain(), { uuid, state: 'APPLIED' }, { uuid: old, state: 'APPLIED' })
    expect(result).toMatchObject({
      stored: 0,
      errors: [
        {
          pointer: '/1/state',
          code: 'wrong-state',
          detail: 'the setpoint is SUPERSEDED, and cannot become APPLIED any more',
        },
      ],
    })
    expect(await statesOf(domain())).toEqual(['target 20 SUPERSEDED', 'target 21 PENDING'])
    const elements = [
      { uuid, state: 'REJECTED' },
      { uuid: old, state: 'APPLIED' },
      { uuid, state: 'APPLIED' },
    ]
    const lenient = await answerSetpoints(domain(), ANYBODY, elements, { lenient: true })
    expect(lenient).toMatchObject({ stored: 1, errors: [{ pointer: '/1/state' }, { pointer: '/2/state' }] })
    expect(await statesOf(domain())).toEqual(['target 20 SUPERSEDED', 'target 21 REJECTED'])
  })

  it('answers that are none are refused by index', async () => {
    const uuid = await setOne()
    const bad = [
      [{ uuid: crypto.randomUUID(), state: 'APPLIED' }, '/uuid', 'unknown-setpoint'],
      [{ state: 'APPLIED' }, '/uuid', 'missing-field'],
      [{ uuid: 'x', state: 'APPLIED' }, '/uuid', 'wrong-type'],
      [{ uuid, state: 'SENT' }, '/state', 'wrong-type'],
      [{ uuid }, '/state', 'missing-field'],
      [{ uuid, state: 'APPLIED', reason: 1 }, '/reason', 'wrong-type'],
      [{ uuid, state: 'APPLIED', reason: 'a\0' }, '/reason', 'wrong-type'],
      [{ uuid, state: 'APPLIED', reason: 'x'.repeat(SETPOINT_LIMITS.reason + 1) }, '/reason', 'out-of-bounds'],
      [{ uuid, state: 'APPLIED', value: 21 }, '/value', 'unknown-field'],
      [uuid, '', 'wrong-type'],
      [null, '', 'wrong-type'],
    ] as const
    const { errors } = await answer(domain(), ...bad.map(([element]) => element))
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(
      bad.map(([, field, code], index) => [`/${index}${field}`, code]),
    )
    expect(await statesOf(domain())).toEqual(['target 21 PENDING'])
  })

  it('a device answers only for its system, and learns nothing of another one', async () => {
    const uuid = await setOne()
    const [home, other] = site.systems
    const say = (systemUuid: string) => answerSetpoints(domain(), deviceOf(systemUuid), [{ uuid, state: 'APPLIED' }])
    expect(await say(other)).toMatchObject({ errors: [{ code: 'unknown-setpoint' }] })
    expect(await say(home)).toMatchObject({ stored: 1, errorCount: 0 })
  })

  it('those that have expired are over for everybody at once, and are written down later', async () => {
    const [home] = site.systems
    const settings = { components: [], models: [], expiresIn: 'PT1H' }
    const name = { service: 'heating', characteristic: 'target' }
    const [made] = await setSetpoints(domain(), ANYBODY, {
      ...settings,
      components: [{ ...name, component: site.thermostats[0], value: 21 }],
    })
    const uuid = made?.uuid ?? ''
    const soon = later(3_600_001)
    expect(await take(soon, home)).toEqual([])
    expect(await answer(soon, { uuid, state: 'APPLIED' })).toMatchObject({
      errors: [{ detail: 'the setpoint is EXPIRED, and cannot become APPLIED any more' }],
    })
    const expected = { ...made, state: 'EXPIRED', changedAt: made?.expiresAt }
    expect(await allSetpoints(soon)).toEqual([expected])
    expect(await statesOf(domain())).toEqual(['target 21 PENDING'])
    const changes = new ChangeSignals()
    const told = changes.next(domain().domain.id, 'setpoints', 60_000)
    await expireSetpoints({ ...soon, changes })
    await told
    const [written] = await allSetpoints(domain())
    expect(written).toEqual(expected)
    expect(await noted()).toEqual([uuid, uuid])
  })

  it('a newer one finds what has expired expired, not superseded', async () => {
    const [component] = site.thermostats
    const name = { component, service: 'heating', characteristic: 'target' }
    await setSetpoints(domain(), ANYBODY, { components: [{ ...name, value: 20 }], models: [], expiresIn: 'PT1H' })
    await add(later(3_600_001), site.element('target', 21))
    expect(await statesOf(domain())).toEqual(['target 20 EXPIRED', 'target 21 PENDING'])
  })

  it('of two who take at once both are given it, and it is SENT once', async () => {
    const [home] = site.systems
    await add(domain(), site.element('target', 21))
    const taken = await Promise.all([take(domain(), home), take(domain(), home)])
    expect(taken.map(valuesOf)).toEqual([[21], [21]])
    expect(await noted()).toHaveLength(2)
  })
})
