import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETPOINT } from '../../../src/records/entities.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { fetchEntityPage } from '../../../src/store/entity-pages.ts'
import { findSentBefore } from '../../../src/store/setpoints/new-setpoints.ts'
import { setpointsMeant } from '../../../src/store/setpoints/setpoints.ts'
import { FLEETS, makeFleet, MANY, uuidOf, type Fleet } from '../../support/fleet.ts'

const NOW = new Date()
const MINUTE_US = 60_000_000
const [system, component] = [uuidOf('system'), uuidOf('component')]
/** More than a page of ten takes, with a window that begins as long ago as the first setpoint. */
const MOST = 50

const ago = (minutes: number): number => NOW.getTime() * 1_000 - minutes * MINUTE_US

describe.each(FLEETS)('one of a fleet on $name $statistics was set something each minute', (kind) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await makeFleet(kind)
    const { database, domain } = fleet.context
    await database.script(`
      insert into setpoints (domain_id, uuid, system_uuid, component_uuid, service_uuid, characteristic_uuid, unit_uuid,
        value, state, actor, set_at, created_at, changed_at)
      select ${domain.id}, gen_random_uuid(), '${system}', '${component}', '${fleet.service}',
        '${fleet.characteristic}', '${fleet.unit}', '1', 'APPLIED', 'tester', now(), now() - i * interval '1 minute', now()
      from generate_series(1, ${MANY}) i; ${kind.analyze}`)
  })
  afterAll(() => fleet.context.database.close())

  const looksAt = (from: number, to: number, isDescending: boolean, named: object): Promise<number> => {
    const selection = setpointsMeant({ ...named, from: ago(from), to: ago(to) }, NOW)
    const page = { first: 10, after: null, by: 'created_at', isDescending } as const
    return fleet.looksAt((sql, id) => fetchEntityPage(sql, id, SETPOINT, selection, page))
  }

  const NAMED: readonly (readonly [what: string, () => object])[] = [
    ['a component', () => ({ components: [component] })],
    ['a system', () => ({ systems: [system] })],
    ['a service', () => ({ services: [fleet.service] })],
    ['a characteristic', () => ({ characteristics: [fleet.characteristic] })],
  ]

  it.each(NAMED)('setpoints of %s in a window: those before and after it are not looked at', async (_, named) => {
    for (const isDescending of [true, false])
      for (const [from, to] of [
        [MANY, MANY - 10],
        [MANY, 10],
        [20, 10],
      ] as const)
        expect(await looksAt(from, to, isDescending, named())).toBeLessThanOrEqual(MOST)
  })

  it('setpoints that were sent before: those from long ago are not looked at', async () => {
    const series = { systemUuid: system, componentUuid: component, serviceUuid: fleet.service }
    const sent = { ...series, characteristicUuid: fleet.characteristic, value: '2', setAt: ago(0), place: 0 }
    expect(await fleet.looksAt((sql, id) => findSentBefore(sql, id, [sent]))).toBeLessThanOrEqual(MOST)
  })

  it.each(NAMED)(
    'setpoints of %s on a page in the middle: those of earlier pages are not looked at',
    async (_, named) => {
      const { database, domain } = fleet.context
      const selection = setpointsMeant(named(), NOW)
      for (const isDescending of [true, false]) {
        const order = { by: 'created_at', isDescending } as const
        const before = await readDomain(database, domain.id, (sql) =>
          fetchEntityPage(sql, domain.id, SETPOINT, selection, { ...order, first: MANY / 2, after: null }),
        )
        const page = { ...order, first: 10, after: before.at(-1)?.cursor ?? null }
        const looked = await fleet.looksAt((sql, id) => fetchEntityPage(sql, id, SETPOINT, selection, page))
        expect([before.length, looked >= 10, looked <= MOST]).toStrictEqual([MANY / 2, true, true])
      }
    },
  )
})
