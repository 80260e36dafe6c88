import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../../src/db/sql.ts'
import { COMPONENT, EVENT, SETPOINT, SYSTEM } from '../../../src/records/entities.ts'
import type { Entity } from '../../../src/records/entity.ts'
import { addRefusals } from '../../../src/store/datapoints/arriving/refused-datapoints.ts'
import { addArrivals } from '../../../src/store/datapoints/arriving/system-arrivals.ts'
import { fetchBlockSegments, preferOrderOfIndex } from '../../../src/store/datapoints/points/points.ts'
import { fetchOrigins, fetchOriginsBetween } from '../../../src/store/datapoints/points/stored-values.ts'
import { fetchSeriesAfter } from '../../../src/store/datapoints/retention.ts'
import { fetchReadableSeries } from '../../../src/store/datapoints/series/readable-series.ts'
import { insertEntities, updateEntities } from '../../../src/store/entities.ts'
import type { OrderColumn } from '../../../src/store/cursors.ts'
import { countEntities, fetchEntityPage, type Selection } from '../../../src/store/entity-pages.ts'
import { fetchActiveComponents } from '../../../src/store/model/model-components.ts'
import { saveAnswers } from '../../../src/store/setpoints/answered-setpoints.ts'
import { findSentBefore, insertSetpoints, supersedeSetpoints } from '../../../src/store/setpoints/new-setpoints.ts'
import { fetchUnacknowledged, findPendingTargets, setpointsMeant } from '../../../src/store/setpoints/setpoints.ts'
import { componentsMeant } from '../../../src/store/systems/component-support.ts'
import { eventsMeant } from '../../../src/store/systems/events.ts'
import { fetchUnknownNames } from '../../../src/store/systems/named-filters.ts'
import { systemsMeant } from '../../../src/store/systems/systems.ts'
import { FEW, FLEETS, makeFleet, MANY, uuidOf, type Fleet, type Within } from '../../support/fleet.ts'

const NOW = new Date()
const [systemUuid, componentUuid] = [uuidOf('system'), uuidOf('component')]
const [systems, components] = [[systemUuid], [componentUuid]]
const TIMES = { from: 0, to: 4e15 }
const OF_ALL = { services: ['room'], characteristics: ['temperature'] }

type Units = readonly string[] | undefined
type Meant = (units: Units, fleet: Fleet) => Selection

/** By something narrow, and by all that every one of the fleet has. */
const LISTS: readonly (readonly [what: string, Entity, by: OrderColumn, meant: Meant])[] = [
  ['a system', SYSTEM, 'name', (units) => systemsMeant({ uuids: systems, status: ['ACTIVATED'], units })],
  [
    'components of a system',
    COMPONENT,
    'name',
    (units) => componentsMeant({ systems, componentModels: ['sensor'], units }),
  ],
  [
    'events of a system',
    EVENT,
    'begins_at',
    (units) => eventsMeant({ systems, eventModels: ['alarm'], ...TIMES, units }),
  ],
  [
    'a system with a value of metadata',
    SYSTEM,
    'name',
    (units) => systemsMeant({ holders: systems, metadata: '[]', status: ['ACTIVATED'], units }),
  ],
  [
    'a component with a value of metadata',
    COMPONENT,
    'name',
    (units) => componentsMeant({ holders: components, metadata: '[]', componentModels: ['sensor'], units }),
  ],
  [
    'an event with a value of metadata',
    EVENT,
    'begins_at',
    (units) => eventsMeant({ holders: [uuidOf('event')], metadata: '[]', ...TIMES, isOpen: true, units }),
  ],
  ['events of a component', EVENT, 'begins_at', (units) => eventsMeant({ systems, components, isOpen: true, units })],
  ['setpoints of a system', SETPOINT, 'created_at', (units) => setpointsMeant({ systems, ...TIMES, units }, NOW)],
  [
    'setpoints of a component',
    SETPOINT,
    'created_at',
    (units, { service, characteristic }) => {
      const ofAll = { services: [service], characteristics: [characteristic] }
      return setpointsMeant({ systems, components, states: ['PENDING'], ...ofAll, ...TIMES, units }, NOW)
    },
  ],
]

type Ask = (sql: Sql, domainId: number, fleet: Fleet) => Promise<unknown>

const seriesOf = ({ service, characteristic }: Fleet) => ({
  systemUuid,
  componentUuid,
  serviceUuid: service,
  characteristicUuid: characteristic,
})
const stored = {
  status: 'ACTIVATED',
  isPrototype: false,
  metadataKeyValueStore: [],
  createdAt: NOW,
  updatedAt: NOW,
} as const
const FLOATS = [{ key: 'temperature', kind: 'float' }] as const

type Other = readonly [what: string, Ask, Within?]

const OTHERS: readonly Other[] = [
  [
    'what a system has to be set',
    (sql, id, { unit }) =>
      fetchUnacknowledged(
        sql,
        id,
        { system: systemUuid, components: null, units: [unit] },
        { first: 50, offset: 0 },
        NOW,
      ),
  ],
  ['whether a system waits', (sql, id) => findPendingTargets(sql, id, systems, []), 'no domain'],
  [
    'answers to setpoints',
    (sql, id) => saveAnswers(sql, id, [{ uuid: uuidOf('pending'), state: 'APPLIED', reason: null }], NOW),
  ],
  [
    'setpoints that were sent before',
    (sql, id, fleet) => findSentBefore(sql, id, [{ ...seriesOf(fleet), value: '1', setAt: 0, place: 0 }]),
  ],
  ['setpoints that newer ones end', (sql, id, fleet) => supersedeSetpoints(sql, id, [seriesOf(fleet)], NOW)],
  [
    'the component of a new setpoint',
    (sql, id, fleet) => {
      const made = { ...seriesOf(fleet), uuid: randomUUID(), value: '1', state: 'SUPERSEDED', setAt: 0 } as const
      return insertSetpoints(sql, id, [made], { actor: 'tester', now: NOW, expiresAt: null })
    },
  ],
  [
    'the system of a new component',
    (sql, id) =>
      insertEntities(sql, id, COMPONENT, [
        { ...stored, uuid: randomUUID(), systemUuid, componentModel: 'sensor', name: 'New' },
      ]),
  ],
  [
    'a component that changes',
    (sql, id) =>
      updateEntities(sql, id, COMPONENT, [
        { ...stored, uuid: componentUuid, systemUuid, componentModel: 'sensor', name: 'New' },
      ]),
  ],
  [
    'a system that changes',
    (sql, id) =>
      updateEntities(sql, id, SYSTEM, [{ ...stored, uuid: systemUuid, organizationUnit: 'company', name: 'New' }]),
  ],
  [
    'active components of a system',
    (sql, id, { unit }) => fetchActiveComponents(sql, id, { componentModel: 'sensor', systems, units: [unit] }, 10),
  ],
  [
    'systems of a small unit',
    async (sql, id, { small }) => {
      const meant = systemsMeant({ organizationUnits: [small] })
      await fetchEntityPage(sql, id, SYSTEM, meant, { first: 50, after: null, by: 'name' })
      await countEntities(sql, id, SYSTEM, meant)
    },
  ],
  [
    'components of a small unit',
    async (sql, id, { small }) => {
      const meant = componentsMeant({ organizationUnits: [small], componentModels: ['sensor'] })
      await fetchEntityPage(sql, id, COMPONENT, meant, { first: 50, after: null, by: 'name' })
      await countEntities(sql, id, COMPONENT, meant)
    },
  ],
  [
    'events of a small unit',
    async (sql, id, { small }) => {
      const meant = eventsMeant({ organizationUnits: [small], eventModels: ['alarm'], ...TIMES })
      await fetchEntityPage(sql, id, EVENT, meant, { first: 50, after: null, by: 'begins_at', isDescending: true })
      await countEntities(sql, id, EVENT, meant)
    },
  ],
  [
    'active components of a small unit',
    (sql, id) => fetchActiveComponents(sql, id, { componentModel: 'sensor', organizationUnits: ['small'] }, 10),
  ],
  [
    'the system of refused datapoints',
    (sql, id) => {
      const about = { systemUuid, componentUuid, serviceUuid: null, characteristicUuid: null, unitUuid: null }
      const refused = {
        day: null,
        code: 'OUT_OF_RANGE',
        sender: 'tester',
        isRest: false,
        count: 1,
        firstAt: 0,
        lastAt: 0,
      }
      return addRefusals(sql, id, [{ ...about, ...refused }])
    },
  ],
  [
    'the system of arrivals',
    (sql, id) => addArrivals(sql, id, [{ systemUuid, lastAt: 0, quarter: 1, counts: [1] }], 0),
  ],
  ...[uuidOf('characteristic'), 'characteristic-42'].map((name): Other => [
    `the name ${name}`,
    (sql, id, { unit }) => {
      const named = { systems, components, characteristics: [name] }
      return fetchUnknownNames(sql, id, named, { systemUuid: null, units: [unit] })
    },
  ]),
  [
    'series of a component and a service',
    (sql, id, { unit, service }) =>
      fetchReadableSeries(sql, id, { ...OF_ALL, services: ['room', service], components, units: [unit] }, 1_000),
  ],
  ['values of some numbers', (sql, id) => fetchOrigins(sql, id, FLOATS, [42])],
  ['values between numbers', (sql, id) => fetchOriginsBetween(sql, id, FLOATS, { from: 42, to: 44 })],
  ['the blocks of a series', (sql, id) => fetchBlockSegments(sql, id, [42], { to: 1 })],
]

describe.each(FLEETS)('of a fleet on $name $statistics', (kind) => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await makeFleet(kind)
  })
  afterAll(() => fleet.context.database.close())

  it.each(LISTS)('%s: few rows are looked at, whatever else is asked', async (_, entity, by, meant) => {
    for (const within of ['all', 'the unit'] as const) {
      const selection = meant(within === 'all' ? undefined : [fleet.unit], fleet)
      const page = { first: 50, after: null, by, isDescending: true }
      const listed = await fleet.looksAt((sql, id) => fetchEntityPage(sql, id, entity, selection, page), within)
      const counted = await fleet.looksAt((sql, id) => countEntities(sql, id, entity, selection), within)
      expect([listed > 0, listed <= FEW, counted <= FEW]).toStrictEqual([true, true, true])
    }
  })

  it.each(OTHERS.map(([what, ask, within]) => ({ what, ask, within })))(
    '$what: few rows are looked at',
    async (one) => {
      const rows = await fleet.looksAt((sql, id) => one.ask(sql, id, fleet), one.within)
      expect(rows).toBeGreaterThanOrEqual(0)
      expect(rows).toBeLessThanOrEqual(FEW)
    },
  )

  it('a page of series: the others are not looked at', async () => {
    const rows = fleet.looksAt((sql, id) => fetchSeriesAfter(sql, id, MANY / 2, 10), 'all', preferOrderOfIndex)
    expect(await rows).toBe(10)
  })
})
