import { beforeEach, describe, expect, it } from 'vitest'
import { deleteRecord } from '../../../src/platform/records/change-record.ts'
import { listSetpoints, findSetpoint } from '../../../src/platform/setpoints/list-setpoints.ts'
import { HoldfastError } from '../../../src/lib/errors.ts'
import type { EntityFilterOf } from '../../../src/records/entity.ts'
import { setSetpoints, type NewSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { SETPOINT_LIMITS } from '../../../src/platform/setpoints/setpoint.ts'
import { updateComponent } from '../../../src/platform/systems/components.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { fetchImpact } from '../../../src/store/datapoints/points/impact.ts'
import type { RecordTypeName } from '../../../src/records/record-type.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add, allSetpoints, ANYBODY, deviceOf, statesOf } from './support.ts'

describe.each(SAMPLED_DATABASES)('setting setpoints on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: SettingSite
  beforeEach(async () => {
    site = await makeSettingSite(domain())
  })

  const set = (settings: Partial<NewSetpoints>) =>
    setSetpoints(domain(), ANYBODY, { components: [], models: [], ...settings })
  const target = (value: unknown, component = site.thermostats[0]) => ({
    component,
    service: 'heating',
    characteristic: 'target',
    value,
  })
  const everyTarget = { componentModel: 'thermostat', service: 'heating', characteristic: 'target', value: 19 }
  const componentsOf = async (more: object) =>
    (await set({ models: [{ ...everyTarget, ...more }] })).map(({ componentUuid }) => componentUuid).sort()

  it('of components by record keys or uuids; answers what was made, in that order', async () => {
    const uuids = { service: site.serviceUuid, characteristic: site.characteristics.get('mode') ?? '' }
    const made = await set({
      components: [target(21), { ...uuids, component: site.boiler, value: 'away' }, target(18, site.thermostats[2])],
    })
    expect(
      made.map(({ componentUuid, characteristic, value, state }) => [componentUuid, characteristic, value, state]),
    ).toEqual([
      [site.thermostats[0], 'target', 21, 'PENDING'],
      [site.boiler, 'mode', 'away', 'PENDING'],
      [site.thermostats[2], 'target', 18, 'PENDING'],
    ])
  })

  it('of all components of a model that are ACTIVATED, or of some of its systems only', async () => {
    const [kitchen, hall, far] = site.thermostats
    expect(await componentsOf({})).toEqual([kitchen, hall, far].sort())
    expect(await componentsOf({ systems: [site.systems[1]] })).toEqual([far])
    expect(await componentsOf({ organizationUnits: ['acme'] })).toEqual([kitchen, hall].sort())
    expect(await componentsOf({ organizationUnits: ['acme/eg'], systems: [site.systems[1]] })).toEqual([])
    await updateComponent(domain(), EVERYWHERE, hall, { status: 'ARCHIVED' })
    await updateSystem(domain(), EVERYWHERE, site.systems[1], { status: 'DEACTIVATED' })
    expect(await componentsOf({})).toEqual([kitchen])
  })

  it('all or none: says of each what is wrong, and of a model once', async () => {
    const wrong = set({
      components: [
        target(21),
        target(99),
        target(21, crypto.randomUUID()),
        { ...target(21), characteristic: 'temperature' },
        { ...target(21), characteristic: 'humidity' },
      ],
      models: [{ ...everyTarget, value: 'warm' }],
    })
    await expect(wrong).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/^5 mistakes, and nothing was set\. \/components\/1\/value: /) as unknown,
      details: [
        { pointer: '/components/1/value', code: 'out-of-bounds' },
        { pointer: '/components/2/component', code: 'unknown-component' },
        { pointer: '/components/3/characteristic', code: 'not-settable' },
        { pointer: '/components/4', code: 'not-supported' },
        { pointer: '/models/0/value', code: 'wrong-type' },
      ],
    })
    expect(await statesOf(domain())).toEqual([])
    await expect(set({ models: [{ ...everyTarget, componentModel: 'fridge' }] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(set({})).rejects.toThrow(/nothing is given/)
  })

  it('of a model refuses what does not exist, or not for the account, also where nothing is found', async () => {
    const [home, other] = site.systems
    const unknown = crypto.randomUUID()
    const detailsOf = async (more: object, actor = ANYBODY) => {
      const setting = setSetpoints(domain(), actor, { components: [], models: [{ ...everyTarget, ...more }] })
      const refused = await setting.catch((error: unknown) => error)
      if (!(refused instanceof HoldfastError)) return refused
      return (refused.details as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`)
    }
    expect(await detailsOf({ systems: [home, unknown] })).toEqual(['/models/0/systems/1 unknown-system'])
    expect(await detailsOf({ organizationUnits: ['acme', 'acne'] })).toEqual([
      '/models/0/organizationUnits/1 unknown-unit',
    ])
    expect(await detailsOf({ systems: [unknown], service: 'nope', characteristic: 'zilch' })).toEqual([
      '/models/0/systems/0 unknown-system',
      '/models/0 not-supported',
    ])
    expect(await detailsOf({ systems: [other], organizationUnits: ['acme/eg'], service: 'nope' })).toEqual([
      '/models/0 not-supported',
    ])
    const elsewhere = { ...ANYBODY, units: [unknown] }
    expect(await detailsOf({ systems: [home], organizationUnits: ['acme'] }, elsewhere)).toEqual([
      '/models/0/organizationUnits/0 unknown-unit',
      '/models/0/systems/0 unknown-system',
    ])
    expect(await statesOf(domain())).toEqual([])
  })

  it('refuses more than the limit by name', async () => {
    const components = Array.from({ length: SETPOINT_LIMITS.made + 1 }, () => target(21))
    await expect(set({ components })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    const models = Array.from({ length: SETPOINT_LIMITS.models + 1 }, () => everyTarget)
    await expect(set({ models })).rejects.toThrow('at most 100 models can be named at once; set some of them first')
  })

  it('an account that is bound to a system finds no component elsewhere', async () => {
    const settings = { components: [target(21)], models: [] }
    await expect(setSetpoints(domain(), deviceOf(site.systems[1]), settings)).rejects.toMatchObject({
      details: [{ code: 'unknown-component' }],
    })
  })

  it('with a time at which they expire, as a moment or from now', async () => {
    const now = new Date('2026-01-02T12:00:00Z')
    const at = (context = domain()) => ({ ...context, now: () => now })
    const expiry = async (given: Partial<NewSetpoints>) => {
      const [made] = await setSetpoints(at(), ANYBODY, { components: [target(21)], models: [], ...given })
      return made?.expiresAt
    }
    expect(await expiry({})).toBeNull()
    expect(await expiry({ expiresIn: 'PT15M' })).toEqual(new Date('2026-01-02T12:15:00Z'))
    expect(await expiry({ expiresIn: 'P7D' })).toEqual(new Date('2026-01-09T12:00:00Z'))
    expect(await expiry({ expiresAt: '2026-01-02T14:00:00+01:00' })).toEqual(new Date('2026-01-02T13:00:00Z'))
    for (const [given, message] of [
      [{ expiresIn: 'PT15M', expiresAt: '2026-01-03T00:00:00Z' }, /both/],
      [{ expiresAt: '2026-01-02T12:00:00Z' }, /has passed/],
      [{ expiresAt: 'tomorrow' }, /^expiresAt: the timestamp must be a date-time [^,]*, but is "tomorrow"$/],
      [{ expiresIn: 'P1M' }, /months differ/],
      [{ expiresIn: '1h' }, /"1h" cannot be used: .*; examples are PT15M, PT1H, P1D, P1W$/],
      [{ expiresIn: 'PT0.0001S' }, /less than a millisecond/],
      [{ expiresIn: 'PT9007199254740991H' }, /too long|cannot be used/],
      [{ expiresIn: '-PT1H' }, /cannot be used/],
    ] as const)
      await expect(expiry(given)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringMatching(message) as unknown,
      })
  })

  it('lists have the newest first or the oldest, page by page, of what is meant', async () => {
    const [home, other] = site.systems
    const start = Date.parse('2026-01-02T12:00:00Z')
    const hour = async (hours: number, element: object) => {
      const context = { ...domain(), now: () => new Date(start + hours * 3_600_000) }
      return add(context, element)
    }
    await hour(0, site.element('target', 20))
    await hour(1, site.element('mode', 'away', { component: site.boiler }))
    await hour(2, site.element('target', 21))
    await hour(3, site.element('target', 22, { component: site.thermostats[2], system: other }))
    const list = async (
      query: EntityFilterOf<'Setpoint'>,
      page: { first?: number; after?: string; isOldestFirst?: boolean } = {},
    ) => {
      const wanted = { first: 9, after: null, isOldestFirst: false, ...page }
      const { items, total, hasNext } = await listSetpoints(domain(), ANYBODY, query, wanted)
      return [...items.map(({ value }) => value), total, hasNext]
    }
    expect(await list({})).toEqual([22, 21, 'away', 20, 4, false])
    expect(await list({}, { isOldestFirst: true, first: 2 })).toEqual([20, 'away', 4, true])
    const [oldest] = await allSetpoints(domain())
    expect(await list({}, { isOldestFirst: true, first: 2, after: oldest?.uuid ?? '' })).toEqual(['away', 21, 4, true])
    expect(await list({ systems: [home], states: ['PENDING'] })).toEqual([21, 'away', 2, false])
    expect(await list({ components: [site.boiler] })).toEqual(['away', 1, false])
    expect(await list({ characteristics: ['mode', site.characteristics.get('pump') ?? ''] })).toEqual([
      'away',
      1,
      false,
    ])
    expect(await list({ services: ['cooling'] })).toEqual([0, false])
    expect(await list({ from: '2026-01-02T13:00:00Z', to: '2026-01-02T15:00:00Z' })).toEqual([21, 'away', 2, false])
    const mine = await listSetpoints(domain(), deviceOf(other), {}, { first: 9, after: null, isOldestFirst: false })
    expect(mine).toMatchObject({ items: [{ value: 22 }], total: 1 })
    expect(await findSetpoint(domain(), deviceOf(other), oldest?.uuid ?? '')).toBeNull()
    expect(await findSetpoint(domain(), deviceOf(home), oldest?.uuid ?? '')).toMatchObject({
      value: 20,
      state: 'SUPERSEDED',
    })
  })

  const impactOf = async (type: RecordTypeName, key: string) => {
    const { database, domain: own } = domain()
    const impact = await readDomain(database, own.id, (sql) => fetchImpact(sql, own.id, [{ type, key }]))
    return impact.get(`${type}/${key}`)?.['setpoints'] ?? 0
  }

  it('they hang on the component model, the service and the characteristic, and go with them', async () => {
    await set({ components: [target(20), target(21), target(22, site.boiler)] })
    await add(domain(), site.element('mode', 'away'))
    expect(await impactOf('componentModels', 'thermostat')).toBe(3)
    expect(await impactOf('services', 'heating')).toBe(4)
    expect(await impactOf('characteristics', 'target')).toBe(3)
    expect(await impactOf('characteristics', 'pump')).toBe(0)
    await deleteRecord(domain(), 'characteristics', 'mode', ['deletes-data'])
    expect(await allSetpoints(domain())).toHaveLength(3)
    await deleteRecord(domain(), 'componentModels', 'thermostat', ['deletes-data'])
    expect(await statesOf(domain())).toEqual(['target 22 PENDING'])
    await deleteRecord(domain(), 'services', 'heating', ['deletes-data'])
    expect(await statesOf(domain())).toEqual([])
  })
})
