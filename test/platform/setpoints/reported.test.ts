import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { updateComponent } from '../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeSettingSite, type SettingCode, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add, allSetpoints, answer, ANYBODY, statesOf, take } from './support.ts'

describe.each(SAMPLED_DATABASES)('setpoints and what devices report, on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: SettingSite
  let database: CountingDatabase
  let changes: ChangeSignals
  let datapoints: Datapoints
  beforeEach(async () => {
    site = await makeSettingSite(domain())
    database = countingDatabase(domain().database)
    changes = new ChangeSignals()
    datapoints = new Datapoints({ ...domain(), database, isAlone: true, changes })
  })
  afterEach(() => datapoints.close())

  const send = (...elements: unknown[]) =>
    datapoints.ingest.add({ domainId: domain().domain.id, actor: 'device', systemUuid: null, units: null }, elements)
  const report = (code: SettingCode, value: unknown, timestamp?: unknown) =>
    send(site.element(code, value, { timestamp }))

  it.each<[SettingCode, unknown, unknown]>([
    ['target', 21.5, 21.5],
    ['target', 21, 21],
    ['pump', false, false],
    ['limit', '9223372036854775807', '9223372036854775807'],
    ['mode', 'away', 'away'],
    ['schedule', { a: [1, 'ü'], b: null }, { b: null, a: [1, 'ü'] }],
  ])('%s reported as it was set is APPLIED', async (code, value, reported) => {
    await add(domain(), site.element(code, value))
    const told = changes.next(domain().domain.id, 'setpoints', 60_000)
    expect(await report(code, reported)).toMatchObject({ stored: 1 })
    await told
    expect(await allSetpoints(domain())).toMatchObject([{ state: 'APPLIED' }])
  })

  it('from each state in which it is unfinished, and stays what it is otherwise', async () => {
    const [home] = site.systems
    await add(domain(), site.element('target', 20), site.element('pump', true), site.element('mode', 'away'))
    const taken = await take(domain(), home)
    const uuidOf = (code: string) => taken.find(({ characteristic }) => characteristic === code)?.uuid
    await answer(domain(), { uuid: uuidOf('pump'), state: 'ACKNOWLEDGED' }, { uuid: uuidOf('mode'), state: 'REJECTED' })
    await add(domain(), site.element('limit', 7))
    await send(
      site.element('target', 20),
      site.element('pump', true),
      site.element('mode', 'away'),
      site.element('limit', 7),
    )
    expect((await statesOf(domain())).sort()).toEqual([
      'limit 7 APPLIED',
      'mode "away" REJECTED',
      'pump true APPLIED',
      'target 20 APPLIED',
    ])
  })

  it('another value, an earlier time or another component say nothing', async () => {
    const now = Date.now()
    await add(domain(), site.element('target', 21))
    await report('target', 20.5)
    await report('target', 21, now - 1_000)
    await send(site.element('target', 21, { component: site.boiler }))
    expect(await statesOf(domain())).toEqual(['target 21 PENDING'])
    // Of many in one batch one is enough.
    const at = Date.now() + 1_000
    const [earlier, other, meant] = [
      site.element('target', 21, { timestamp: now - 1_000 }),
      site.element('target', 20.5, { timestamp: at + 1 }),
      site.element('target', 21, { timestamp: at }),
    ]
    await send(meant, earlier, other)
    expect(await statesOf(domain())).toEqual(['target 21 APPLIED'])
  })

  it('counts from the time at which it was set, where somebody says so', async () => {
    const noon = Date.now() - 3_600_000
    await add(domain(), site.element('target', 21, { timestamp: noon }))
    await report('target', 21, noon - 1)
    expect(await statesOf(domain())).toEqual(['target 21 PENDING'])
    await report('target', 21, noon)
    expect(await statesOf(domain())).toEqual(['target 21 APPLIED'])
    // A clock that is ahead does not keep it from being applied.
    await add(domain(), site.element('pump', true, { timestamp: Date.now() + 500_000 }))
    await report('pump', true)
    expect(await statesOf(domain())).toContain('pump true APPLIED')
  })

  it('a setpoint is told by the retry of a batch with a key, where the first request could not tell it', async () => {
    await add(domain(), site.element('target', 21))
    let isBroken = true
    const failing = countingDatabase(domain().database, ({ text }) => {
      if (isBroken && text.includes('from setpoints')) throw new HoldfastError('UNAVAILABLE', 'lost')
    })
    const server = new Datapoints({ ...domain(), database: failing, isAlone: false, changes })
    const who = { domainId: domain().domain.id, actor: 'device', systemUuid: null, units: null }
    const element = site.element('target', 21)
    const report = () => server.ingest.add(who, [element], { idempotency: { key: 'a', digest: Uint8Array.of(1) } })
    await expect(report()).rejects.toThrow('lost')
    isBroken = false
    await updateComponent(domain(), EVERYWHERE, element.component_uuid, { status: 'ARCHIVED' })
    expect(await statesOf(domain())).toEqual(['target 21 PENDING'])
    expect(await report()).toMatchObject({ stored: 1 })
    expect(await statesOf(domain())).toEqual(['target 21 APPLIED'])
    // It was told, so no other retry looks at setpoints.
    isBroken = true
    expect(await report()).toMatchObject({ stored: 1 })
    await server.close()
  })

  it('what has expired is not applied any more', async () => {
    const name = { component: site.thermostats[0], service: 'heating', characteristic: 'target' }
    await setSetpoints(domain(), ANYBODY, { components: [{ ...name, value: 21 }], models: [], expiresIn: 'PT1H' })
    const later = { ...domain(), now: () => new Date(Date.now() + 3_600_001) }
    const afterwards = new Datapoints({ ...later, isAlone: false })
    const who = { domainId: domain().domain.id, actor: 'device', systemUuid: null, units: null }
    await afterwards.ingest.add(who, [site.element('target', 21)])
    await afterwards.close()
    expect((await allSetpoints(later)).map(({ state }) => state)).toEqual(['EXPIRED'])
  })

  const temperature = () => send(site.element('temperature', 21))
  const target = () => send(site.element('target', 21), site.element('pump', true), site.element('target', 22))
  const countOf = async (work: () => Promise<unknown>) => {
    const before = database.statements.length
    await work()
    return database.statements.length - before
  }

  it('costs one statement for all batches that are stored together, and none where nothing can be set', async () => {
    // The first ones look their series up.
    await temperature()
    await target()
    const measured = await countOf(temperature)
    expect(await countOf(target)).toBe(measured + 1)
    expect(await countOf(() => Promise.all([temperature(), temperature(), temperature()]))).toBe(measured)
    expect(await countOf(() => Promise.all([target(), temperature(), target(), target()]))).toBe(measured + 1)
  })

  it('a batch whose report was not told is refused, and tells it when it comes again', async () => {
    await add(domain(), site.element('target', 21))
    let isBroken = true
    const breaking = countingDatabase(domain().database, ({ text }) => {
      if (isBroken && text.includes("state = 'APPLIED'")) throw new Error('the database is gone')
    })
    const other = new Datapoints({ ...domain(), database: breaking, isAlone: false })
    const who = { domainId: domain().domain.id, actor: 'device', systemUuid: null, units: null }
    const sendThere = (...elements: unknown[]) => other.ingest.add(who, elements)
    await expect(sendThere(site.element('target', 21))).rejects.toThrow('the database is gone')
    expect(await sendThere(site.element('temperature', 21))).toMatchObject({ stored: 1 })
    isBroken = false
    expect(await sendThere(site.element('target', 21))).toMatchObject({ stored: 1 })
    expect(await statesOf(domain())).toEqual(['target 21 APPLIED'])
    await other.close()
  })
})
