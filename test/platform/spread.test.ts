import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INT8, TEXT } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'
import { SHARDS, shardKeyOfSeries } from '../../src/lib/shard-key.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { findSeriesOf, type SeriesName } from '../../src/platform/datapoints/reading/series/find-series.ts'
import type { ReadableSeries } from '../../src/platform/datapoints/reading/series/readable-series.ts'
import { readDatapoints, readLatest } from '../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery, type ReadingArguments } from '../../src/platform/datapoints/reading/reading-query.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { deleteRecord } from '../../src/platform/records/change-record.ts'
import { expireDatapoints } from '../../src/platform/retention/expire.ts'
import { setRetention } from '../../src/platform/retention/set-retention.ts'
import { createSystemCredential, revokeSystemCredential } from '../../src/platform/systems/credentials.ts'
import { createComponents, listComponents, updateComponent } from '../../src/platform/systems/components.ts'
import { createEvent, endEvent, listEvents } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem, listSystems, updateSystem } from '../../src/platform/systems/systems.ts'
import { keyOfNewSystem } from '../../src/store/shard-key-sql.ts'
import { POSTGRES } from '../support/databases.ts'
import { applyAll, makeDomain } from '../support/domain.ts'
import { SITE_MODEL } from '../support/site.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '../support/two-organizations.ts'
import { add, allSetpoints, answer, take } from './setpoints/support.ts'

// A domain whose data is spread over shards, beside one that has all of it under its own key: both do the same, under the
// same uuids, and must come to the same.

const NOW = Date.UTC(2026, 0, 12, 12)
const DAY = 86_400_000
const ALL = { first: 100, after: null }

let database: Database
let datapoints: Datapoints
let whole: Story
let spread: Story

interface Story {
  readonly context: DomainContext
  /** The account of a device. */
  readonly device: string
  readonly customers: TwoOrganizations
}

beforeAll(async () => {
  database = await POSTGRES.openMigrated()
  // Data and model are distributed by different columns, so no reference between them is left there.
  await database.script(await referencesToModel())
  whole = await begin('whole', false)
  spread = await begin('spread', true)
})
afterAll(async () => {
  await datapoints.close()
  await database.close()
})

async function referencesToModel(): Promise<string> {
  const rows = await database.rows(
    { drop: TEXT },
    `select format('alter table %s drop constraint %I;', conrelid::regclass, conname) as drop from pg_constraint
     where contype = 'f' and confrelid = 'records'::regclass
       and conrelid <> all ('{record_references,record_secrets}'::regclass[])`,
  )
  expect(rows.length).toBeGreaterThan(4)
  return rows.map(({ drop }) => drop).join('\n')
}

async function begin(slug: string, isSpread: boolean): Promise<Story> {
  const made = await makeDomain(database, slug)
  await database.statement(`update domains set is_spread = $2 where id = $1`, [made.domain.id, isSpread])
  datapoints ??= new Datapoints({ ...made, now: () => new Date(NOW), isAlone: true, limits: { leastOfChunk: 1 } })
  let ids = 0
  const newId = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const context = { ...made, now: () => new Date(NOW), newId }
  const customers = await makeTwoOrganizations(context, datapoints)
  const { uuid: device } = await createSystemCredential(context, customers.amber.system)
  return { context, customers, device }
}

/** Does the same in both domains, and gives what came of it once it is the same. */
async function both<T>(act: (story: Story) => Promise<T>): Promise<T> {
  const [one, other] = [await act(whole), await act(spread)]
  expect(other).toStrictEqual(one)
  return one
}

const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error ? error.message : error),
  )

const DATA = 'systems components events setpoints series system_credentials refused_datapoints system_arrivals'.split(
  ' ',
)

async function keysOf(table: string, { context }: Pick<Story, 'context'>): Promise<number[]> {
  const keys = `select distinct shard_key as key from ${table} where domain_id = $1 order by 1`
  return (await database.rows({ key: INT8 }, keys, [context.domain.id])).map(({ key }) => key)
}

describe('systems, components, events and setpoints', () => {
  it('are listed, changed and moved', async () => {
    const found = await both(async ({ context, customers: { amber } }) => {
      await updateSystem(context, EVERYWHERE, amber.system, { organizationUnit: 'amber/west', name: 'A moved house' })
      await updateComponent(context, EVERYWHERE, amber.component, { name: 'A renamed boiler' })
      await endEvent(context, EVERYWHERE, amber.alarm, null)
      return [
        await listSystems(context, EVERYWHERE, {}, ALL),
        await listSystems(context, EVERYWHERE, { organizationUnits: ['amber'] }, { ...ALL, first: 1 }),
        await listComponents(context, EVERYWHERE, { systems: [amber.system] }, ALL),
        await listEvents(context, EVERYWHERE, {}, ALL),
      ]
    })
    expect(found.map(({ items }) => items.length)).toStrictEqual([3, 1, 1, 6])
  })

  it('have a uuid once in the domain, in whatever shard', async () => {
    const refusals = await both(async ({ context, customers: { amber, basalt } }) => [
      await refused(createSystem(context, EVERYWHERE, { uuid: amber.system, name: 'Twin' })),
      await refused(
        createComponents(context, EVERYWHERE, [
          { uuid: amber.component, system: basalt.system, componentModel: 'boiler', name: 'Twin' },
        ]),
      ),
      await refused(
        createEvent(context, EVERYWHERE, { uuid: amber.restart, eventModel: 'restart', system: basalt.system }),
      ),
    ])
    expect(refusals).toStrictEqual([
      expect.stringContaining('there is a system'),
      expect.stringContaining('there is a component'),
      expect.stringMatching(/event/),
    ])
  })

  it('setpoints are made, taken, answered and superseded', async () => {
    const states = await both(async ({ context, customers: { amber, basalt } }) => {
      await add(context, amber.point('target', 19), basalt.point('target', 20))
      const taken = await take(context, amber.system)
      await answer(context, { uuid: taken[0]?.uuid, state: 'ACKNOWLEDGED' })
      const all = await allSetpoints(context)
      return all.map(({ systemUuid, value, state }) => ({ systemUuid, value, state })).sort(byText)
    })
    expect(states.map(({ state }) => state).sort()).toStrictEqual(
      expect.arrayContaining(['ACKNOWLEDGED', 'PENDING', 'SUPERSEDED']),
    )
  })
})

function byText(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}

function named({ componentUuid, serviceUuid, characteristicUuid }: ReadableSeries): SeriesName {
  return { component: componentUuid, service: serviceUuid, characteristic: characteristicUuid }
}

/** Without the number of the series, which says on which shard it is. */
async function readOne(context: DomainContext, one: ReadableSeries, way: ReadingArguments) {
  const now = context.now()
  const { series, reading } = await readDatapoints(context, EVERYWHERE, named(one), readingQuery(way, now), now)
  return { series: { ...series, id: null }, reading }
}

describe('datapoints', () => {
  const RANGE = { from: new Date(NOW - 40 * DAY).toISOString(), to: new Date(NOW).toISOString() }
  const WAYS: readonly ReadingArguments[] = [
    { ...RANGE, first: 1_000 },
    { ...RANGE, first: 7, order: 'newest first' },
    { ...RANGE, interval: 'PT6H', aggregations: ['min', 'max', 'sum', 'count', 'median', 'last'] },
    { ...RANGE, maxPoints: 40 },
  ]

  /** Every series, read in every way. */
  async function readAll({ context }: Story): Promise<unknown> {
    const series = await findSeriesOf(context, EVERYWHERE, {})
    const readings = []
    for (const one of series.filter(({ characteristicKey }) => characteristicKey !== 'note'))
      for (const way of WAYS) readings.push(await readOne(context, one, way))
    const latest = await readLatest(context, EVERYWHERE, {}, { before: NOW * 1_000 })
    return { readings, latest: latest.map(({ point }) => point) }
  }

  async function send({ context, customers }: Story): Promise<void> {
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    const points = Object.values(customers as unknown as { [name: string]: TwoOrganizations['amber'] }).flatMap(
      ({ point }, house) =>
        Array.from({ length: 700 }, (_, index) =>
          point('temperature', house * 100 + (index % 50), new Date(NOW - 30 * DAY + index * 3_600_000).toISOString()),
        ),
    )
    expect(await datapoints.ingest.add(who, points)).toMatchObject({ stored: points.length, errorCount: 0 })
  }

  it('are read alike while they are hot, in blocks, in chunks and joined', async () => {
    await send(whole)
    await send(spread)
    const hot = await both(readAll)
    expect(hot).toMatchObject({ latest: { length: 6 } })
    await datapoints.compactor.compact()
    expect(await keysOf('datapoint_blocks', whole)).toStrictEqual([whole.context.domain.id])
    expect(await keysOf('datapoint_blocks', spread)).toStrictEqual(await keysOf('systems', spread))
    expect(await both(readAll)).toStrictEqual(hot)
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER, Infinity)
    await datapoints.merger.sweep()
    expect(await both(readAll)).toStrictEqual(hot)
    await datapoints.joiner.sweep(NOW * 1_000 + 40 * DAY * 1_000)
    expect(await both(readAll)).toStrictEqual(hot)
  })

  it('are refused, counted and expire alike', async () => {
    const expired = await both(async (story) => {
      const { context, customers } = story
      const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
      await datapoints.ingest.add(who, [customers.amber.point('temperature', 'warm')], { lenient: true })
      const retention = await setRetention(context, { characteristic: null, keep: 'P20D', acknowledge: true })
      await expireDatapoints(database, NOW)
      return { retention, left: await readAll(story) }
    })
    expect(expired.retention.datapoints).toBeGreaterThan(100)
    await datapoints.refused.flush()
    await datapoints.arrived.flush()
  })
})

it('systems of before the domain was spread keep their key, and so does what is made for them', async () => {
  const context = await makeDomain(database, 'since')
  await applyAll(context, SITE_MODEL)
  const old = await createSystem(context, EVERYWHERE, { name: 'Old' })
  await database.statement(`update domains set is_spread = true where id = $1`, [context.domain.id])
  const late = await createSystem(context, EVERYWHERE, { name: 'New' })
  const uuid = crypto.randomUUID()
  const make = (system: string) =>
    createComponents(context, EVERYWHERE, [{ uuid, system, componentModel: 'sensor', name: 'Sensor' }])
  await make(old.uuid)
  expect(await refused(make(late.uuid))).toMatch(/there is a component/)
  expect(await keysOf('components', { context })).toStrictEqual([context.domain.id])
  expect(await keysOf('shard_directory', { context })).toStrictEqual([context.domain.id])
  expect(await keysOf('systems', { context })).toHaveLength(2)
})

it('a system that is archived takes no more datapoints', async () => {
  const result = await both(async ({ context, customers: { basalt } }) => {
    await updateSystem(context, EVERYWHERE, basalt.system, { status: 'ARCHIVED' })
    const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
    const { errors } = await datapoints.ingest.add(who, [basalt.point('temperature', 20)])
    return { errors, all: await listSystems(context, EVERYWHERE, { status: ['ARCHIVED'] }, ALL) }
  })
  expect(result).toMatchObject({ errors: { length: 1 }, all: { items: { length: 1 } } })
})

describe('the keys', () => {
  it('are those of the systems, everywhere', async () => {
    for (const table of [...DATA, 'datapoint_chunks']) {
      expect([table, await keysOf(table, whole)]).toStrictEqual([table, [whole.context.domain.id]])
      const keys = await keysOf(table, spread)
      expect([table, keys.length > 0 && keys.every((key) => key < 0)]).toStrictEqual([table, true])
    }
    expect(await keysOf('systems', spread)).toHaveLength(3)
    const rows = await database.rows(
      { domainId: INT8, id: INT8, ofSystem: INT8, key: INT8 },
      `select s.domain_id as "domainId", s.id, s.shard_key as key, system.shard_key as "ofSystem" from series s
       join systems system on system.domain_id = s.domain_id and system.uuid = s.system_uuid`,
    )
    for (const { domainId, id, ofSystem, key } of rows)
      expect([key, shardKeyOfSeries(domainId, id)]).toStrictEqual([ofSystem, ofSystem])
  })

  it('are about as many for each shard, also where uuids begin with a time', async () => {
    const [found] = await database.rows(
      { shards: INT8, most: INT8 },
      `select count(*) as shards, max(systems) as most from (
         select count(*) as systems from domains domain, generate_series(1, 20480) n,
           lateral (select ('019b0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as uuid) system
         where domain.id = $1 group by ${keyOfNewSystem('domain', 'system.uuid')}) keys`,
      [spread.context.domain.id],
    )
    expect(found).toStrictEqual({ shards: SHARDS, most: expect.toSatisfy((most: number) => most < 50) as number })
  })

  it('are noted where the domain is spread, and forgotten with what lies there', async () => {
    expect(await keysOf('shard_directory', whole)).toStrictEqual([])
    expect(await keysOf('shard_directory', spread)).toHaveLength(3)
    await both(({ context }) => deleteRecord(context, 'componentModels', 'boiler', ['deletes-data']))
    const left = `select distinct entity from shard_directory where domain_id = $1 order by 1`
    const of = [spread.context.domain.id]
    expect(await database.statement(left, of)).toStrictEqual([{ entity: 'events' }, { entity: 'system_credentials' }])
    await both(({ context, device }) => revokeSystemCredential(context, device))
    expect(await database.statement(left, of)).toStrictEqual([{ entity: 'events' }])
  })
})
