import { beforeEach, describe, expect, it } from 'vitest'
import type { MetadataItem } from '../../../generated/import-document.ts'
import { textLength } from '../../../src/lib/text-length.ts'
import { AnswerBudget } from '../../../src/platform/answer-budget.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { listComponents, updateComponent } from '../../../src/platform/systems/components.ts'
import { createEvent, listEvents } from '../../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { listSystems } from '../../../src/platform/systems/systems.ts'
import { fetchUnitsWithin } from '../../../src/store/model/units.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'
import { makeComponent, makeSite, makeSystem, type Site } from './site.ts'

const PAGE = { first: 10, after: null }
const SITE = 'acme/eg'

describe.each(SAMPLED_DATABASES)('lists by metadata and by unit on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: Site
  beforeEach(async () => {
    site = await makeSite(domain())
  })

  const house = (name: string, ...metadataKeyValueStore: MetadataItem[]) =>
    makeSystem(domain(), { name, metadataKeyValueStore })
  const systemsWith = async (...metadata: MetadataItem[]) => {
    const { items, total } = await listSystems(domain(), EVERYWHERE, { metadata }, PAGE)
    expect(total).toBe(items.length)
    return items.map(({ name }) => name)
  }

  it('a value of each type is found as it was written, and under its key alone', async () => {
    const items: readonly MetadataItem[] = [
      { key: 'owner', value: 'Müller "& Co"\n' },
      { key: 'area', value: 42.5 },
      { key: 'area', value: { float: 42 } },
      { key: 'flat', value: 42 },
      { key: 'large', value: { integer: '9007199254740993' } },
      { key: 'heated', value: true },
      { key: 'heated', value: false },
      { key: 'installed', value: '2026-01-31T06:30:00+01:00' },
      { key: 'meter', value: { uuid: site.system.uuid } },
      { key: 'none', value: null },
      { key: 'long', value: 'x'.repeat(8_000) },
    ]
    for (const [index, item] of items.entries()) await house(`House ${index}`, item)
    for (const [index, item] of items.entries()) {
      expect(await systemsWith(item)).toStrictEqual([`House ${index}`])
      expect(await systemsWith({ ...item, key: 'other' })).toStrictEqual([])
    }
    expect(await systemsWith({ key: 'installed', value: '2026-01-31T05:30:00Z' })).toStrictEqual(['House 7'])
    expect(await systemsWith({ key: 'owner', value: 'Müller' })).toStrictEqual([])
  })

  it('several values must all be there', async () => {
    const [red, large] = [
      { key: 'colour', value: 'red' },
      { key: 'size', value: 3 },
    ]
    await house('Both', red, large)
    await house('Red', red)
    expect(await systemsWith(red)).toStrictEqual(['Both', 'Red'])
    expect(await systemsWith(large, red)).toStrictEqual(['Both'])
    expect(await systemsWith({ key: 'colour', value: 'blue' }, large)).toStrictEqual([])
  })

  it('a value that the metadata type of its key does not allow is refused', async () => {
    await expect(systemsWith({ key: 'floors', value: 'two' })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
    await expect(systemsWith({ key: 'a', value: 1 }, { key: 'a', value: 2 })).rejects.toMatchObject({
      message: 'metadata "a": it is given twice; keep one',
    })
  })

  it('a changed value is found, and the former one is not', async () => {
    const [serial, other] = [[{ key: 'serial', value: 'A-1' }], [{ key: 'serial', value: 'A-2' }]] as const
    const { uuid } = await makeComponent(domain(), site.system.uuid, { metadataKeyValueStore: serial })
    const found = async (metadata: readonly MetadataItem[]) =>
      (await listComponents(domain(), EVERYWHERE, { metadata }, PAGE)).items.map((one) => one.uuid)
    expect([await found(serial), await found(other)]).toStrictEqual([[uuid], []])
    await updateComponent(domain(), EVERYWHERE, uuid, { metadataKeyValueStore: other })
    expect([await found(serial), await found(other)]).toStrictEqual([[], [uuid]])
  })

  it('a value that very many have is found page by page, as a rare one is', async () => {
    const context = domain()
    await context.database.script(`
      insert into systems (domain_id, uuid, name, status, metadata, created_at, updated_at)
      select ${context.domain.id}, gen_random_uuid(), 'System ' || lpad(i::text, 4, '0'), 'ACTIVATED',
        '[{"key": "maker", "value": {"string": "Acme"}}]', now(), now() from generate_series(1, 1001) i`)
    const filter = { metadata: [{ key: 'maker', value: 'Acme' }] }
    const page = await listSystems(context, EVERYWHERE, filter, PAGE)
    expect([page.total, page.items.at(-1)?.name]).toStrictEqual([1001, 'System 0010'])
    const next = await listSystems(context, EVERYWHERE, filter, { first: 2, after: page.cursors.at(-1) ?? null })
    expect(next.items.map(({ name }) => name)).toStrictEqual(['System 0011', 'System 0012'])
  })

  it('components and events are those of the systems of a unit and of the units below it', async () => {
    const context = domain()
    const other = await makeSystem(context)
    await makeComponent(context, other.uuid, { name: 'Other' })
    await makeEvents(context, site, other.uuid)
    for (const [unit, components, events] of [
      [SITE, ['Pump', 'Sensor'], ['of the pump', 'of the house']],
      ['acme', ['Pump', 'Sensor'], ['of the pump', 'of the house']],
      ['acme/og', [], []],
    ] as const) {
      const filter = { organizationUnits: [unit] }
      const ofUnit = await listComponents(context, EVERYWHERE, filter, PAGE)
      expect([ofUnit.total, ...ofUnit.items.map(({ name }) => name)]).toStrictEqual([components.length, ...components])
      const happened = await listEvents(context, EVERYWHERE, filter, PAGE)
      expect(happened.items.map(({ message }) => message)).toStrictEqual(events)
    }
    const both = { organizationUnits: ['acme'], metadata: [{ key: 'ticket', value: 'T-1' }] }
    expect((await listEvents(context, EVERYWHERE, both, PAGE)).items).toMatchObject([{ message: 'of the house' }])
  })

  it('a role within a unit finds no value of a system outside of it', async () => {
    const context = domain()
    const item = { key: 'colour', value: 'red' }
    await house('Outside', item)
    await makeSystem(context, { name: 'Inside', organizationUnit: SITE, metadataKeyValueStore: [item] })
    const units = await readDomain(context.database, context.domain.id, (sql) =>
      fetchUnitsWithin(sql, context.domain.id, [SITE]),
    )
    const found = await listSystems(context, { systemUuid: null, units }, { metadata: [item] }, PAGE)
    expect(found.items.map(({ name }) => name)).toStrictEqual(['Inside'])
  })

  it('the texts of all pages of a request count for its answer', async () => {
    await makeEvents(domain(), site, (await house('Other')).uuid)
    const lists = { listSystems, listComponents, listEvents }
    for (const list of Object.values<(typeof lists)[keyof typeof lists]>(lists)) {
      const { items } = await list(domain(), EVERYWHERE, {}, PAGE)
      const context = { ...domain(), budget: new AnswerBudget(2 * textLength(items)) }
      for (const _ of [1, 2]) await list(context, EVERYWHERE, {}, PAGE)
      await expect(list(context, EVERYWHERE, {}, PAGE)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    }
  })

  it('another domain with the same value is not seen', async () => {
    const item = { key: 'colour', value: 'red' }
    await house('Own', item)
    const other = await makeDomain(domain().database, 'another')
    await makeSystem(other, { name: 'Of another', metadataKeyValueStore: [item] })
    expect(await systemsWith(item)).toStrictEqual(['Own'])
  })
})

async function makeEvents(context: DomainContext, { system, pump }: Site, other: string): Promise<void> {
  const metadataKeyValueStore = [{ key: 'ticket', value: 'T-1' }]
  const restart = { eventModel: 'restart', at: '2026-01-01T00:00:00Z' }
  await createEvent(context, EVERYWHERE, {
    ...restart,
    system: system.uuid,
    message: 'of the house',
    metadataKeyValueStore,
  })
  await createEvent(context, EVERYWHERE, { ...restart, system: other, message: 'of another' })
  const alarm = { eventModel: 'alarm', component: pump.uuid, at: '2026-01-02T00:00:00Z' }
  await createEvent(context, EVERYWHERE, { ...alarm, message: 'of the pump' })
}
