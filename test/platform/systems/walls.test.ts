import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Database, Sql } from '../../../src/db/sql.ts'
import { findSeriesOf, requireSeries } from '../../support/find-series.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { addSetpoints } from '../../../src/platform/setpoints/add-setpoints.ts'
import { answerSetpoints } from '../../../src/platform/setpoints/answer-setpoints.ts'
import { findSetpoint, listSetpoints } from '../../../src/platform/setpoints/list-setpoints.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { targetOfDevice, takePending } from '../../../src/platform/setpoints/take-pending.ts'
import {
  createComponents,
  findComponent,
  listComponents,
  updateComponent,
} from '../../../src/platform/systems/components.ts'
import { createEvent, endEvent, findEvent, listEvents } from '../../../src/platform/systems/events.ts'
import { EVERYWHERE, type Reach } from '../../../src/platform/systems/reach.ts'
import { createSystem, findSystem, listSystems, updateSystem } from '../../../src/platform/systems/systems.ts'
import { COMPONENT, EVENT, SETPOINT, SYSTEM } from '../../../src/records/entities.ts'
import { fetchUnitsWithin, boundTo } from '../../../src/store/model/units.ts'
import { fetchSupport } from '../../../src/store/systems/component-support.ts'
import { fetchChunkStarts } from '../../../src/store/datapoints/packed/chunks.ts'
import { fetchLatestOfChunks } from '../../../src/store/datapoints/points/latest-points.ts'
import { fetchChunks, fetchVisibleSeries, fetchPoints } from '../../../src/store/datapoints/points/points.ts'
import { fetchReadableSeries } from '../../../src/store/datapoints/series/readable-series.ts'
import { ensureSeries } from '../../../src/store/datapoints/series/series.ts'
import { readDomain, writeData, writeDomain } from '../../../src/store/domains.ts'
import { endStoredEvent, fetchEvents } from '../../../src/store/systems/events.ts'
import { lockSetpoints, markSent, saveAnswers } from '../../../src/store/setpoints/answered-setpoints.ts'
import { fetchSetpoints } from '../../../src/store/setpoints/setpoints.ts'
import { fetchEntities, insertEntities, updateEntities } from '../../../src/store/entities.ts'
import { countEntities } from '../../../src/store/entity-pages.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { emptyDomain } from '../../support/domain.ts'
import { makeTwoOrganizations, type Customer, type TwoOrganizations } from '../../support/two-organizations.ts'
import { context, database, useDomain } from '../../support/one-database.ts'

// Two walls around an organization, each by itself: what the platform checks, and what the database shows.

const TABLES = ['systems', 'components', 'events', 'setpoints', 'series']
const rowsOf = (table: string) => `select to_jsonb(t) as row from ${table} t where domain_id = $1 order by t::text`
const ALL_OF_THEM = { matches: 'true', values: [], units: undefined }
const LATER = Date.UTC(2027, 0) * 1_000
const ALL = { from: 0, to: LATER }

/** All rows of a table, as its owner sees them. */
async function rows(): Promise<unknown> {
  return Promise.all(TABLES.map((table) => database.statement(rowsOf(table), [context.domain.id])))
}

describe.each(SAMPLED_DATABASES)('around an organization on $name', ({ openMigrated }) => {
  let datapoints: Datapoints
  let customers: TwoOrganizations
  let outside: readonly Customer[]
  let units: readonly string[]
  useDomain({ openMigrated })
  beforeEach(async () => {
    await emptyDomain(context)
    datapoints = new Datapoints({ ...context, isAlone: true, limits: { leastOfChunk: 1 } })
    customers = await makeTwoOrganizations(context, datapoints)
    outside = [customers.basalt, customers.nobody]
    units = await readDomain(database, context.domain.id, (sql) => fetchUnitsWithin(sql, context.domain.id, ['amber']))
    return () => datapoints.close()
  })

  const now = new Date()

  describe.each([
    ['few', 0],
    ['many', 300],
  ])('the wall in the database, for a role in %s units', (_, more) => {
    let bound: Database
    beforeEach(() => {
      bound = boundTo(database, [...units, ...Array.from({ length: more }, () => randomUUID())])
    })
    const read = <T>(work: (sql: Sql, domainId: number) => Promise<T>) =>
      readDomain(bound, context.domain.id, (sql) => work(sql, context.domain.id))
    const write = <T>(work: (sql: Sql, domainId: number) => Promise<T>) =>
      writeData(bound, context.domain.id, (sql) => work(sql, context.domain.id))

    it('shows nothing of what is outside, whoever names it', async () => {
      for (const { system, component, alarm, restart, setpoint } of outside) {
        expect(await read((sql, id) => fetchEntities(sql, id, SYSTEM, [system]))).toStrictEqual([])
        expect(await read((sql, id) => fetchEntities(sql, id, COMPONENT, [component]))).toStrictEqual([])
        expect(await read((sql, id) => fetchSupport(sql, id, [component]))).toStrictEqual([])
        expect(await read((sql, id) => fetchEvents(sql, id, [alarm, restart]))).toStrictEqual([])
        expect(await read((sql, id) => fetchSetpoints(sql, id, [setpoint], now))).toStrictEqual([])
        const filter = { systems: [system] }
        expect(await read((sql, id) => fetchReadableSeries(sql, id, filter, 9))).toStrictEqual([])
      }
      const counts = [SYSTEM, COMPONENT, EVENT, SETPOINT].map((entity) =>
        read((sql, id) => countEntities(sql, id, entity, ALL_OF_THEM)),
      )
      expect(await Promise.all(counts)).toStrictEqual([1, 1, 2, 1])
    })

    /** How many rows of these series' points are seen, by whatever statement. */
    async function seen(ids: readonly number[]): Promise<number> {
      const { chunks, visible } = await read((sql, id) => fetchPoints(sql, id, ids, 0, LATER))
      const wanted = ids.map((seriesId) => ({ seriesId, since: 0 }))
      const latest = await read((sql, id) => fetchLatestOfChunks(sql, id, wanted, LATER))
      // Segments hold many series, of which those are decoded that may be seen.
      const decoded = await read((sql, id) => fetchVisibleSeries(sql, id, ids))
      let count = chunks.length + visible.size + latest.length + decoded.size
      for (const seriesId of ids) {
        count += (await read((sql, id) => fetchChunks(sql, id, [seriesId], ALL))).length
        const starts = { ...ALL, isNewestFirst: false }
        count += (await read((sql, id) => fetchChunkStarts(sql, id, seriesId, starts, 9))).length
      }
      return count
    }

    it.each(['before', 'after'])('shows no points of their series, %s they are folded', async (when) => {
      if (when === 'after') {
        await datapoints.compactor.compact()
        await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
      }
      const series = await readDomain(database, context.domain.id, (sql) =>
        fetchReadableSeries(sql, context.domain.id, {}, 99),
      )
      const [own = [], others = []] = [true, false].map((isOwn) =>
        series.flatMap(({ id, systemUuid }) => ((systemUuid === customers.amber.system) === isOwn ? [id] : [])),
      )
      expect(await seen(others)).toBe(0)
      // Two series are seen by two statements, and when they are folded the chunk of each by four more.
      expect(await seen(own)).toBe(when === 'before' ? 4 : 12)
    })

    it('takes nothing from outside, into it, or out of it', async () => {
      const before = await rows()
      const [system] = await read((sql, id) => fetchEntities(sql, id, SYSTEM, [customers.amber.system]))
      if (system === undefined) throw new Error('the own system is not seen')
      for (const { system: uuid, component, alarm, setpoint, point } of outside) {
        const key = point('temperature', 1)
        await writeDomain(bound, context.domain.id, (sql) =>
          updateEntities(sql, context.domain.id, SYSTEM, [{ ...system, uuid, name: 'mine' }]),
        )
        const made = { uuid: randomUUID(), systemUuid: uuid, createdAt: now }
        const part = { ...system, ...made, componentModel: 'boiler' }
        expect(await write((sql, id) => insertEntities(sql, id, COMPONENT, [part]))).toEqual([])
        const kind = { eventModel: 'restart', eventType: 'SINGLE_POINT', eventLevel: 'INFO' } as const
        const told = { message: null, componentUuid: null, at: 0, endAt: 0, metadataKeyValueStore: [], actor: 'x' }
        const event = { ...made, ...kind, ...told }
        expect(await write((sql, id) => insertEntities(sql, id, EVENT, [event]))).toEqual([])
        expect(await write((sql, id) => endStoredEvent(sql, id, alarm, LATER))).toBe(false)
        expect(await write((sql, id) => lockSetpoints(sql, id, [setpoint], now))).toStrictEqual([])
        await write((sql, id) => markSent(sql, id, [setpoint], now))
        const answer = { uuid: setpoint, state: 'APPLIED', reason: null } as const
        expect(await write((sql, id) => saveAnswers(sql, id, [answer], now))).toBe(0)
        const series = {
          systemUuid: uuid,
          componentUuid: component,
          serviceUuid: key.service_uuid,
          characteristicUuid: key.characteristic_uuid,
          kind: 'text',
        } as const
        expect(await write((sql, id) => ensureSeries(sql, id, [series], now))).toStrictEqual([])
      }
      for (const organizationUnit of ['basalt/east', null]) {
        const moved = write((sql, id) => updateEntities(sql, id, SYSTEM, [{ ...system, organizationUnit }]))
        await expect(moved).rejects.toThrow(/row-level security/)
        const made = write((sql, id) =>
          insertEntities(sql, id, SYSTEM, [{ ...system, uuid: randomUUID(), organizationUnit }]),
        )
        await expect(made).rejects.toThrow(/row-level security/)
      }
      expect(await rows()).toStrictEqual(before)
    })

    it('shows nothing where nobody has said whose work it is', async () => {
      const forgetful = database.read(async (sql) => {
        await sql.setLocal({ 'holdfast.domain_id': String(context.domain.id), role: 'holdfast_domain' })
        return countEntities(sql, context.domain.id, SYSTEM, ALL_OF_THEM)
      })
      expect(await forgetful.catch((error: unknown) => String(error))).toSatisfy(
        (seen) => seen === 0 || /holdfast\.units/.test(String(seen)),
      )
      const nowhere = boundTo(database, [])
      expect(
        await readDomain(nowhere, context.domain.id, (sql) =>
          countEntities(sql, context.domain.id, SYSTEM, ALL_OF_THEM),
        ),
      ).toBe(0)
    })

    it('is not gone round', async () => {
      const ways = [bound.statement('select 1'), bound.script('select 1')]
      for (const way of ways) await expect(way).rejects.toThrow(/bound to units/)
    })
  })

  // On a database that shows everything.
  describe('the wall of the platform', () => {
    let reach: Reach
    beforeEach(() => {
      reach = { systemUuid: null, units }
    })

    it('shows and counts what is within, and nothing else', async () => {
      const { amber } = customers
      const page = { first: 9, after: null }
      const lists = [
        await listSystems(context, reach, {}, page),
        await listComponents(context, reach, {}, page),
        await listEvents(context, reach, {}, page),
        await listSetpoints(context, reach, {}, { ...page, isOldestFirst: true }),
      ]
      expect(lists.map(({ items, total }) => `${items.length} of ${total}`).join()).toBe('1 of 1,1 of 1,2 of 2,1 of 1')
      expect((await findSeriesOf(context, reach, {})).map(({ systemUuid }) => systemUuid)).toStrictEqual([
        amber.system,
        amber.system,
      ])
      for (const { system, component, alarm, setpoint } of outside) {
        expect(await findSystem(context, reach, system)).toBeNull()
        expect(await findComponent(context, reach, component)).toBeNull()
        expect(await findEvent(context, reach, alarm)).toBeNull()
        expect(await findSetpoint(context, reach, setpoint)).toBeNull()
        const gone = { code: 'NOT_FOUND' }
        const name = { component, service: 'heating', characteristic: 'temperature' }
        await expect(requireSeries(context, reach, name)).rejects.toMatchObject(gone)
        const never = { component, service: 'heating', characteristic: 'target' }
        await expect(requireSeries(context, reach, never)).rejects.toMatchObject(gone)
        for (const nowhere of [system, crypto.randomUUID()])
          await expect(listSystems(context, reach, {}, { first: 9, after: nowhere })).rejects.toThrow(
            `the item of the cursor ${nowhere} is no longer in this list`,
          )
      }
    })

    it('lets nothing be done outside, and nothing get out', async () => {
      const before = await rows()
      const gone = { code: 'NOT_FOUND' }
      for (const { system, component, alarm, setpoint, point } of outside) {
        await expect(updateSystem(context, reach, system, { name: 'mine' })).rejects.toMatchObject(gone)
        await expect(updateComponent(context, reach, component, { name: 'mine' })).rejects.toMatchObject(gone)
        const part = { system, componentModel: 'boiler', name: 'mine' }
        await expect(createComponents(context, reach, [part])).rejects.toMatchObject(gone)
        await expect(createEvent(context, reach, { eventModel: 'restart', system })).rejects.toMatchObject(gone)
        await expect(createEvent(context, reach, { eventModel: 'alarm', component })).rejects.toMatchObject(gone)
        await expect(endEvent(context, reach, alarm, null)).rejects.toMatchObject(gone)
        await expect(targetOfDevice(context, reach, [component])).rejects.toMatchObject(gone)
        const setting = { component, service: 'heating', characteristic: 'target', value: 5 }
        await expect(setSetpoints(context, reach, { components: [setting], models: [] })).rejects.toThrow(
          /no component/,
        )
        const answer = { uuid: setpoint, state: 'APPLIED' }
        const refused = [
          await answerSetpoints(context, reach, [answer]),
          await addSetpoints(context, { ...reach, account: null, name: 'x' }, [point('target', 5)]),
          await datapoints.ingest.add({ domainId: context.domain.id, actor: 'x', ...reach }, [point('temperature', 5)]),
        ]
        expect(refused.map(({ stored, errors }) => [stored, errors[0]?.code])).toStrictEqual([
          [0, 'unknown-setpoint'],
          [0, 'unknown-component'],
          [0, 'unknown-component'],
        ])
        await expect(
          createSystem(context, reach, { name: 'x', uuid: system, organizationUnit: 'amber' }),
        ).rejects.toMatchObject({ code: 'CONFLICT' })
      }
      const { amber } = customers
      for (const organizationUnit of ['basalt', 'basalt/east']) {
        await expect(updateSystem(context, reach, amber.system, { organizationUnit })).rejects.toMatchObject(gone)
        await expect(createSystem(context, reach, { name: 'x', organizationUnit })).rejects.toMatchObject(gone)
      }
      await expect(updateSystem(context, reach, amber.system, { organizationUnit: null })).rejects.toThrow(
        /organizationUnit/,
      )
      await expect(createSystem(context, reach, { name: 'x' })).rejects.toThrow(/organizationUnit/)
      expect(await rows()).toStrictEqual(before)
    })

    it('of a whole component model, sets what is within', async () => {
      const setting = { componentModel: 'boiler', service: 'heating', characteristic: 'target', value: 9 }
      const made = await setSetpoints(context, reach, { components: [], models: [setting] })
      expect(made.map(({ componentUuid }) => componentUuid)).toStrictEqual([customers.amber.component])
    })

    it('gives nothing to a device any more whose system has moved away', async () => {
      const target = await targetOfDevice(context, reach, [customers.amber.component])
      await updateSystem(context, EVERYWHERE, customers.amber.system, { organizationUnit: 'basalt' })
      expect(await takePending(context, target)).toStrictEqual([])
    })
  })
})
