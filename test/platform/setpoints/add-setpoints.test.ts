import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { addSetpoints } from '../../../src/platform/setpoints/add-setpoints.ts'
import { updateComponent } from '../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add, allSetpoints, ANYBODY, deviceOf, statesOf } from './support.ts'

const NOON = Date.parse('2026-01-02T12:00:00Z')

describe.each(SAMPLED_DATABASES)('a batch of setpoints on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: SettingSite
  beforeEach(async () => {
    site = await makeSettingSite(domain())
  })

  it('is stored with values of every kind, each as it was sent', async () => {
    const values = [
      ['target', 21.5],
      ['pump', false],
      ['limit', '9223372036854775807'],
      ['mode', 'away'],
      ['schedule', { mon: [{ from: '06:00', to: 21.5 }], text: 'Grüße "😀"\n' }],
    ] as const
    const before = Date.now()
    const result = await add(domain(), ...values.map(([code, value]) => site.element(code, value)))
    expect(result).toMatchObject({ stored: 5, errorCount: 0, cursor: expect.stringMatching(/^s[\w-]{11}$/) as unknown })
    const stored = await allSetpoints(domain())
    expect(stored.map(({ characteristic, value }) => [characteristic, value]).sort()).toEqual([...values].sort())
    for (const setpoint of stored) {
      expect(setpoint).toMatchObject({ state: 'PENDING', actor: 'tester', service: 'heating', expiresAt: null })
      expect(setpoint.createdAt.getTime()).toBeGreaterThanOrEqual(before)
      expect(setpoint.setAt).toBe(setpoint.createdAt.getTime() * 1_000)
    }
  })

  it('with one error is not stored at all, and says where it is', async () => {
    const good = site.element('target', 21.5)
    const nowhere = randomUUID()
    const bad = [
      [site.element('temperature', 21), 'characteristic_uuid', 'not-settable'],
      [{ ...good, value: 30.5 }, 'value', 'out-of-bounds'],
      [{ ...good, value: 21.3 }, 'value', 'off-step'],
      [{ ...good, value: '21' }, 'value', 'wrong-type'],
      [{ ...good, value: null }, 'value', 'null-value'],
      [site.element('mode', 'party'), 'value', 'unknown-option'],
      [{ ...good, component_uuid: nowhere }, 'component_uuid', 'unknown-component'],
      [{ ...good, system_uuid: nowhere }, 'system_uuid', 'unknown-system'],
      [{ ...good, service_uuid: nowhere }, 'service_uuid', 'unknown-service'],
      [{ ...good, characteristic_uuid: nowhere }, 'characteristic_uuid', 'unknown-characteristic'],
      [{ ...good, characteristic_uuid: good.service_uuid }, null, 'not-supported'],
      [{ ...good, timestamp: 'tomorrow' }, 'timestamp', 'timestamp-format'],
      [{ ...good, timestamp: Date.now() + 700_000 }, 'timestamp', 'timestamp-ahead'],
      [{ ...good, expires: 'PT1H' }, 'expires', 'unknown-field'],
      [{ ...good, system: 'PT1H' }, 'system', 'unknown-field'],
      ['a setpoint', null, 'wrong-type'],
    ] as const
    const result = await add(domain(), good, ...bad.map(([element]) => element))
    expect(result).toMatchObject({ stored: 0, errorCount: bad.length })
    expect(result.errors.map(({ pointer, code }) => [pointer, code])).toStrictEqual(
      bad.map(([, field, code], index) => [`/${index + 1}${field === null ? '' : `/${field}`}`, code]),
    )
    expect(result.errors[0]?.detail).toBe(
      'the characteristic temperature is a MEASUREMENT: only the device sets its value',
    )
    expect(await statesOf(domain())).toStrictEqual([])
    const lenient = await addSetpoints(domain(), ANYBODY, [good, ...bad.map(([element]) => element)], { lenient: true })
    expect(lenient).toMatchObject({ stored: 1, errorCount: bad.length })
    expect(await statesOf(domain())).toStrictEqual(['target 21.5 PENDING'])
  })

  it('only what is ACTIVATED can be set', async () => {
    await updateComponent(domain(), EVERYWHERE, site.thermostats[0], { status: 'DEACTIVATED' })
    await updateRecord(domain(), 'characteristics', 'pump', { status: 'ARCHIVED' }, [])
    const elements = [site.element('target', 21), site.element('pump', true, { component: site.boiler })]
    const { errors } = await add(domain(), ...elements)
    expect(errors.map(({ pointer, code }) => [pointer, code])).toStrictEqual([
      ['/0/component_uuid', 'deactivated'],
      ['/1/characteristic_uuid', 'archived'],
    ])
  })

  it('a newer one of the same series takes the place of what is unfinished, and of nothing else', async () => {
    await add(domain(), site.element('target', 20), site.element('pump', true))
    await add(domain(), site.element('target', 20, { component: site.boiler }))
    await add(domain(), site.element('target', 21))
    expect((await statesOf(domain())).sort()).toStrictEqual([
      'pump true PENDING',
      'target 20 PENDING',
      'target 20 SUPERSEDED',
      'target 21 PENDING',
    ])
  })

  it('of several for one series the last one counts', async () => {
    await add(domain(), ...[20, 21, 22].map((value) => site.element('target', value)))
    expect((await statesOf(domain())).sort()).toStrictEqual([
      'target 20 SUPERSEDED',
      'target 21 SUPERSEDED',
      'target 22 PENDING',
    ])
  })

  it('sent again with its timestamps is the same batch, also when there is something newer', async () => {
    const at = { timestamp: NOON }
    const first = site.element('target', 20, at)
    await add(domain(), first, site.element('pump', true, at))
    expect(await add(domain(), first, site.element('pump', true, at))).toMatchObject({ stored: 2, errorCount: 0 })
    await add(domain(), site.element('target', 21))
    await add(domain(), first)
    expect((await statesOf(domain())).sort()).toStrictEqual([
      'pump true PENDING',
      'target 20 SUPERSEDED',
      'target 21 PENDING',
    ])
    await add(domain(), { ...first, value: 22 })
    expect(await statesOf(domain())).toContain('target 22 PENDING')
    expect((await allSetpoints(domain()))[0]?.setAt).toBe(NOON * 1_000)
  })

  it('sent again with its Idempotency-Key is the same batch; another batch with it is refused', async () => {
    const idempotency = { key: 'batch 1', digest: Uint8Array.of(1) }
    const send = (value: number, digest = idempotency.digest) =>
      addSetpoints(domain(), ANYBODY, [site.element('target', value)], { idempotency: { ...idempotency, digest } })
    // A key of what was refused is free again.
    expect(await send(99)).toMatchObject({ stored: 0, errorCount: 1 })
    expect(await Promise.all([send(20), send(20)])).toMatchObject([{ stored: 1 }, { stored: 1 }])
    await add(domain(), site.element('target', 21))
    expect(await send(20)).toMatchObject({ stored: 1 })
    expect((await statesOf(domain())).sort()).toStrictEqual(['target 20 SUPERSEDED', 'target 21 PENDING'])
    await expect(send(20, Uint8Array.of(2))).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('a batch of datapoints with a similar Idempotency-Key is another batch', async () => {
    const datapoints = new Datapoints({ ...domain(), isAlone: true })
    const digest = Uint8Array.of(1)
    const who = { domainId: domain().domain.id, actor: ANYBODY.name, systemUuid: null, units: null }
    const elements = [site.element('target', 20)]
    await datapoints.ingest.add(who, elements, { idempotency: { key: 'set-points batch 1', digest } })
    const send = (of: number) =>
      addSetpoints(domain(), ANYBODY, elements, { idempotency: { key: 'batch 1', digest: Uint8Array.of(of) } })
    expect(await send(1)).toMatchObject({ stored: 1 })
    expect(await statesOf(domain())).toStrictEqual(['target 20 PENDING'])
    await expect(send(2)).rejects.toMatchObject({ code: 'CONFLICT' })
    await datapoints.close()
  })

  it('a batch that an earlier release stored with its Idempotency-Key is known', async () => {
    const send = () =>
      addSetpoints(domain(), ANYBODY, [site.element('target', 20)], {
        idempotency: { key: 'batch 1', digest: Uint8Array.of(1) },
      })
    const first = await send()
    await domain().database.statement(`update idempotency_keys set key = 'set-points batch 1'`)
    await add(domain(), site.element('target', 21))
    expect(await send()).toStrictEqual(first)
    expect(await statesOf(domain())).toStrictEqual(['target 20 SUPERSEDED', 'target 21 PENDING'])
  })

  it('sent again with its Idempotency-Key gets the first answer, whatever the model says by then', async () => {
    const changes = new ChangeSignals()
    const options = { lenient: true, idempotency: { key: 'batch 1', digest: Uint8Array.of(1) } }
    const elements = [site.element('target', 20), site.element('target', 99)]
    const send = () => addSetpoints({ ...domain(), changes }, ANYBODY, elements, options)
    const first = await send()
    expect(first).toMatchObject({ stored: 1, errorCount: 1, errors: [{ pointer: '/1/value' }] })
    await updateRecord(domain(), 'characteristics', 'target', { boundaryMax: 10 }, ['invalidates-data'])
    expect(await add(domain(), site.element('target', 20))).toMatchObject({ stored: 0, errorCount: 1 })
    let signals = 0
    changes.listen(() => (signals += 1))
    expect(await send()).toStrictEqual(first)
    await updateComponent(domain(), EVERYWHERE, site.thermostats[0], { status: 'ARCHIVED' })
    expect(await send()).toStrictEqual(first)
    expect(signals).toBe(0)
    expect(await statesOf(domain())).toStrictEqual(['target 20 PENDING'])
  })

  it('an account that is bound to a system sets nothing elsewhere, and learns nothing of it', async () => {
    const [home, other] = site.systems
    const elements = [site.element('target', 21), { ...site.element('target', 21), component_uuid: randomUUID() }]
    const { errors } = await addSetpoints(domain(), deviceOf(other), elements)
    expect(errors.map(({ pointer, code }) => [pointer, code])).toStrictEqual([
      ['/0/system_uuid', 'not-allowed'],
      ['/1/system_uuid', 'not-allowed'],
    ])
    expect(await addSetpoints(domain(), deviceOf(home), elements.slice(0, 1))).toMatchObject({ stored: 1 })
  })

  it('of many at once for one series exactly one is left', async () => {
    const values = Array.from({ length: 12 }, (_, index) => 10 + index)
    await Promise.all(values.map((value) => add(domain(), site.element('target', value), site.element('pump', true))))
    const states = await statesOf(domain())
    expect(states).toHaveLength(24)
    expect(states.filter((state) => state.endsWith('PENDING'))).toHaveLength(2)
  })

  it('nothing is as good as something', async () => {
    expect(await add(domain())).toMatchObject({ stored: 0, errorCount: 0 })
  })
})
