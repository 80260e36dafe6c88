import { beforeEach, describe, expect, it } from 'vitest'
import { UUID } from '../../../src/db/columns.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { carryOutDeletion, listDeletions, previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { setSetpoints } from '../../../src/platform/setpoints/set-setpoints.ts'
import { createComponents, findComponent, updateComponent } from '../../../src/platform/systems/components.ts'
import { createSystemCredential } from '../../../src/platform/systems/credentials.ts'
import { createEvent, findEvent } from '../../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { createSystem, findSystem, updateSystem } from '../../../src/platform/systems/systems.ts'
import { boundTo } from '../../../src/store/model/units.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { SITE_MODEL } from '../../support/site.ts'
import { historyOf } from '../datapoints/history.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

const NOON = Date.UTC(2026, 1, 20, 12)
const MODEL = {
  ...SITE_MODEL,
  characteristics: [
    ...SITE_MODEL.characteristics,
    { code: 'target', name: 'Target', characteristicType: 'SETTING', dataType: 'FLOAT' },
  ],
  services: SITE_MODEL.services.map((one) =>
    one.code === 'room' ? { ...one, characteristics: [...one.characteristics, { code: 'target' }] } : one,
  ),
  eventModels: [
    { code: 'leak', eventType: 'SINGLE_POINT', entityType: 'COMPONENT' },
    { code: 'outage', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' },
  ],
}

/** Every table with rows of a system or component. */
const TABLES =
  'systems components events setpoints series system_credentials system_arrivals refused_datapoints platform_records idempotency_keys unique_metadata'.split(
    ' ',
  )

async function rowsOf(tables = TABLES): Promise<object> {
  const [row] = await database.statement(
    `select ${tables.map((table) => `(select count(*)::integer from ${table}) as ${table}`).join(', ')}`,
  )
  return row ?? {}
}

const system = (): Wanted => ({ kind: 'SYSTEM', uuid: site.systemUuid })
const component = (index: number): Wanted => ({ kind: 'COMPONENT', uuid: site.componentUuids[index] ?? '' })

async function remove(wanted: Wanted, by: DomainContext = context) {
  const { token } = await previewDeletion(by, EVERYWHERE, wanted)
  return carryOutDeletion(by, EVERYWHERE, wanted, token)
}

const uuidOf = (wanted: Wanted) => ('uuid' in wanted ? wanted.uuid : '')

const archiveSystem = () => updateSystem(context, EVERYWHERE, site.systemUuid, { status: 'ARCHIVED' })

/** Makes 20,000 more events, which are deleted in three steps. */
const makeManyEvents = () =>
  database.script(`insert into events
    (domain_id, uuid, model_uuid, system_uuid, component_uuid, begins_at, metadata, actor, created_at)
    select e.domain_id, gen_random_uuid(), model_uuid, system_uuid, component_uuid, begins_at, '[]', actor, now()
    from (select * from events limit 1) e, generate_series(1, 20000)`)
const locksDomain = (text: string) => text.includes(`pg_advisory_xact_lock(hashtextextended('domain'`)

/** Deletes the system, but the server stops after the first step. Returns the token. */
async function interrupted(): Promise<string> {
  await makeManyEvents()
  await archiveSystem()
  const { token } = await previewDeletion(context, EVERYWHERE, system())
  let steps = 0
  const stopping = countingDatabase(database, ({ text }) => {
    if (locksDomain(text) && ++steps > 1) throw new Error('the server stops')
  })
  const begun = carryOutDeletion({ ...context, database: stopping }, EVERYWHERE, system(), token)
  await expect(begun).rejects.toThrow('the server stops')
  return token
}

const history = async () => (await listDeletions(context, EVERYWHERE, { first: 10, after: null })).items

describe.each(SAMPLED_DATABASES)('deleting on $name', (kind) => {
  useSite({ kind, limits: { leastOfChunk: 1 } })

  beforeEach(async () => {
    await applyAll(context, MODEL)
    const key = { key: 'k', digest: new Uint8Array([1]) }
    const { uuid: account } = await createSystemCredential(context, site.systemUuid)
    await datapoints.ingest.add(
      { ...sender, actor: account },
      [site.point('temperature', 1, NOON), site.point('temperature', 2, NOON + 1, 1)],
      { idempotency: key },
    )
    await datapoints.compactor.compact()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    await datapoints.ingest.add(sender, [site.point('temperature', 3, NOON + 2)])
    await datapoints.ingest.add(sender, [site.point('temperature', 'wrong', NOON + 3)])
    await datapoints.refused.flush()
    await datapoints.arrived.flush(Infinity)
    for (const uuid of site.componentUuids)
      await createEvent(context, EVERYWHERE, { eventModel: 'leak', component: uuid })
    await createEvent(context, EVERYWHERE, { eventModel: 'outage', system: site.systemUuid })
    const setting = { component: site.componentUuids[0] ?? '', service: 'room', characteristic: 'target', value: 20 }
    await setSetpoints(context, EVERYWHERE, { components: [setting], models: [] })
  })

  it('a system deletes all that belongs to it, and nothing else', async () => {
    const other = await createSystem(context, EVERYWHERE, { name: 'Other' })
    await archiveSystem()
    const deletion = await remove(system())
    expect(deletion).toMatchObject({
      kind: 'SYSTEM',
      subject: site.systemUuid,
      name: 'Site',
      counts: { systems: 1, components: 2, datapoints: 3, events: 3, setpoints: 1, credentials: 1, idempotencyKeys: 1 },
    })
    expect(await findSystem(context, EVERYWHERE, site.systemUuid)).toBeNull()
    const empty = Object.fromEntries(TABLES.map((table) => [table, 0]))
    expect(await rowsOf()).toStrictEqual({ ...empty, systems: 1 })
    expect(await findSystem(context, EVERYWHERE, other.uuid)).not.toBeNull()
    await datapoints.compactor.compact()
    await datapoints.expire()
    await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
    const packed = await rowsOf(['datapoint_chunks', 'datapoint_blocks'])
    expect(packed).toStrictEqual({ datapoint_chunks: 0, datapoint_blocks: 0 })
  })

  it('a system can be deleted if some of its points cannot be read', async () => {
    await datapoints.ingest.add(sender, [site.point('temperature', 5, NOON)])
    await datapoints.compactor.compact()
    await datapoints.ingest.add(sender, [site.point('temperature', 6, NOON)])
    for (const table of ['datapoint_chunks', 'datapoint_blocks'])
      expect(await database.statement(`update ${table} set points = '\\x00' returning 1 as one`)).not.toHaveLength(0)
    await archiveSystem()
    // Two in chunks, two in a block, and one in a hot table.
    expect((await remove(system())).counts.datapoints).toBe(5)
  })

  it('datapoints can be deleted if some of them cannot be read', async () => {
    await database.script(`update datapoint_chunks set points = '\\x00'`)
    const series = { systems: [site.systemUuid], components: null, services: null, characteristics: null }
    const deletion = await remove({ kind: 'DATAPOINTS', series, from: null, to: (NOON + 2) * 1_000 })
    expect(deletion.counts.datapoints).toBeGreaterThanOrEqual(2)
    await datapoints.compactor.compact()
    await datapoints.erase()
    expect(Object.values(await historyOf(context)).flat()).toHaveLength(1)
  })

  it('a system in steps that were interrupted is in the history, and goes on with the same token at any time', async () => {
    const token = await interrupted()
    const part = { systems: 0, components: 0, datapoints: 0, events: 10_000, setpoints: 1 }
    expect(await history()).toMatchObject([{ kind: 'SYSTEM', subject: site.systemUuid, counts: part }])
    const later = { ...context, now: () => new Date(context.now().getTime() + 2 * 3_600_000) }
    const deletion = await carryOutDeletion(later, EVERYWHERE, system(), token)
    expect(deletion.counts).toMatchObject({ systems: 1, components: 2, datapoints: 3, events: 20_003, setpoints: 1 })
    expect(await history()).toMatchObject([{ uuid: deletion.uuid, counts: deletion.counts }])
    expect(await carryOutDeletion(later, EVERYWHERE, system(), token)).toMatchObject({ uuid: deletion.uuid })
  })

  it('a system that was changed after the first steps says what is gone, and a new preview counts the rest', async () => {
    const token = await interrupted()
    await updateSystem(context, EVERYWHERE, site.systemUuid, { status: 'ACTIVATED' })
    await archiveSystem()
    const again = carryOutDeletion(context, EVERYWHERE, system(), token)
    await expect(again).rejects.toThrow('only 10000 events and 1 setpoints were deleted before')
    expect((await remove(system())).counts).toMatchObject({ systems: 1, events: 10_003, setpoints: 0 })
    expect((await history()).map(({ counts }) => counts.events).sort()).toStrictEqual([10_000, 10_003])
  })

  it('a system with many events lets other changes of the domain pass in between', async () => {
    await makeManyEvents()
    await archiveSystem()
    const statements = countingDatabase(database)
    const deletion = await remove(system(), { ...context, database: statements })
    expect(deletion.counts.events).toBe(20_003)
    // Two delete 10,000 events each, and one deletes the rest. The preview takes no lock.
    expect(statements.statements.filter(locksDomain)).toHaveLength(3)
    expect(await rowsOf(['events', 'systems'])).toStrictEqual({ events: 0, systems: 0 })
  })

  it('a system leaves its uuid free, and a new one has none of its data', async () => {
    await archiveSystem()
    await remove(system())
    await createSystem(context, EVERYWHERE, { uuid: site.systemUuid, name: 'Again' })
    const again = site.componentUuids.map((uuid, index) => ({
      uuid,
      system: site.systemUuid,
      componentModel: 'sensor',
      name: `Sensor ${index}`,
    }))
    await createComponents(context, EVERYWHERE, again)
    expect(await historyOf(context)).toStrictEqual({})
    await datapoints.ingest.add(sender, [site.point('temperature', 9, NOON + 9)])
    await datapoints.compactor.compact()
    await datapoints.expire()
    expect(await historyOf(context)).toStrictEqual({ 'Sensor 0 temperature': [[(NOON + 9) * 1_000, 9]] })
  })

  it('needs a system or component that is ARCHIVED', async () => {
    for (const [what, wanted] of [
      ['system', system()],
      ['component', component(0)],
    ] as const)
      await expect(previewDeletion(context, EVERYWHERE, wanted)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `the ${what} ${uuidOf(wanted)} is ACTIVATED; set its status to ARCHIVED before you delete it`,
      })
    await archiveSystem()
    const { token } = await previewDeletion(context, EVERYWHERE, system())
    await updateSystem(context, EVERYWHERE, site.systemUuid, { status: 'ACTIVATED' })
    await expect(carryOutDeletion(context, EVERYWHERE, system(), token)).rejects.toThrow('is ACTIVATED')
    await datapoints.ingest.add(sender, [site.point('temperature', 4, NOON + 4)])
    await archiveSystem()
    await expect(carryOutDeletion(context, EVERYWHERE, system(), token)).rejects.toThrow('since the preview')
    expect((await remove(system())).counts.datapoints).toBe(4)
  })

  it('a component leaves the other one with its data', async () => {
    await updateComponent(context, EVERYWHERE, site.componentUuids[0] ?? '', { status: 'ARCHIVED' })
    const { counts } = await remove(component(0))
    expect(counts).toMatchObject({ systems: 0, components: 1, datapoints: 2, events: 1, setpoints: 1, credentials: 0 })
    expect(await findComponent(context, EVERYWHERE, site.componentUuids[0] ?? '')).toBeNull()
    expect(await historyOf(context)).toStrictEqual({ 'Sensor 1 temperature': [[(NOON + 1) * 1_000, 2]] })
    const rows = await rowsOf(['components', 'events', 'setpoints', 'series'])
    expect(rows).toStrictEqual({ components: 1, events: 2, setpoints: 0, series: 1 })
    await expect(remove(component(0))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('an event deletes it alone, and its uuid is free', async () => {
    const uuid = crypto.randomUUID()
    const event = { uuid, eventModel: 'outage', system: site.systemUuid }
    await createEvent(context, EVERYWHERE, event)
    expect((await remove({ kind: 'EVENT', uuid })).counts.events).toBe(1)
    expect(await findEvent(context, EVERYWHERE, uuid)).toBeNull()
    await expect(remove({ kind: 'EVENT', uuid })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await createEvent(context, EVERYWHERE, event)).toMatchObject({ uuid })
  })

  it('an event that was made again since the preview stays', async () => {
    const event = { kind: 'EVENT', uuid: crypto.randomUUID() } as const
    await createEvent(context, EVERYWHERE, { uuid: event.uuid, eventModel: 'outage', system: site.systemUuid })
    const { token } = await previewDeletion(context, EVERYWHERE, event)
    await remove(event)
    await createEvent(context, EVERYWHERE, {
      uuid: event.uuid,
      eventModel: 'leak',
      component: site.componentUuids[0] ?? '',
    })
    await expect(carryOutDeletion(context, EVERYWHERE, event, token)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await findEvent(context, EVERYWHERE, event.uuid)).not.toBeNull()
  })

  it('a system stays if another component took the place of one since the preview', async () => {
    const third = { uuid: crypto.randomUUID(), system: site.systemUuid, componentModel: 'sensor', name: 'Third' }
    await createComponents(context, EVERYWHERE, [third])
    await archiveSystem()
    const { token } = await previewDeletion(context, EVERYWHERE, system())
    const other = crypto.randomUUID()
    await database.statement('update components set uuid = $2::uuid where uuid = $1::uuid', [third.uuid, other])
    await expect(carryOutDeletion(context, EVERYWHERE, system(), token)).rejects.toThrow('since the preview')
  })

  it('one thing twice at once deletes it once', async () => {
    await archiveSystem()
    const [one, other] = await Promise.all([1, 2].map(() => previewDeletion(context, EVERYWHERE, system())))
    const results = await Promise.allSettled([
      carryOutDeletion(context, EVERYWHERE, system(), one?.token ?? ''),
      carryOutDeletion(context, EVERYWHERE, system(), one?.token ?? ''),
      carryOutDeletion(context, EVERYWHERE, system(), other?.token ?? ''),
    ])
    // Both requests with the token that came first have the same answer.
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect([1, 2]).toContain(refused.length)
    expect(refused).toStrictEqual(refused.map(() => expect.objectContaining({ code: 'NOT_FOUND' })))
    expect(await rowsOf(['deletions'])).toStrictEqual({ deletions: 1 })
  })

  it('within an organization reaches only what belongs to it', async () => {
    await applyAll(context, { ...MODEL, organizations: [{ alias: 'ours', name: 'Ours' }] })
    const [found] = await database.rows({ uuid: UUID }, `select uuid from records where key = 'ours'`)
    const ours = found?.uuid ?? ''
    const mine = await createSystem(context, EVERYWHERE, { name: 'Mine', organizationUnit: 'ours' })
    await updateSystem(context, EVERYWHERE, mine.uuid, { status: 'ARCHIVED' })
    await archiveSystem()
    const within = { ...context, database: boundTo(database, [ours]) }
    const actor = { systemUuid: null, units: [ours] }
    await expect(previewDeletion(within, actor, system())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const series = { systems: [site.systemUuid], components: null, services: null, characteristics: null }
    const none = await previewDeletion(within, actor, { kind: 'DATAPOINTS', series, from: null, to: null })
    expect(none.counts.datapoints).toBe(0)
    const { token } = await previewDeletion(within, actor, { kind: 'SYSTEM', uuid: mine.uuid })
    await carryOutDeletion(within, actor, { kind: 'SYSTEM', uuid: mine.uuid }, token)
    expect(await findSystem(context, EVERYWHERE, mine.uuid)).toBeNull()
    expect(await findSystem(context, EVERYWHERE, site.systemUuid)).not.toBeNull()
  })
})
