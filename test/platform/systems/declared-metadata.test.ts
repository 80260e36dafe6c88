import { beforeEach, describe, expect, it } from 'vitest'
import { createComponents, listComponents, updateComponent } from '../../../src/platform/systems/components.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, plan } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeComponent, makeSystem, MODEL } from './site.ts'

const serial = (value: string) => ({ metadataKeyValueStore: [{ key: 'serial', value }] })

const ruling = (serialType: object) => ({
  metadataTypes: [{ entityType: 'COMPONENT', key: 'serial', dataType: 'STRING', ...serialType }],
})

describe.each(SAMPLED_DATABASES)('metadata on $name', (kind) => {
  const domain = oneDomain(kind)
  beforeEach(() => applyAll(domain(), MODEL))

  it('takes the default of its type where something new does not say it, and null is none', async () => {
    expect((await makeSystem(domain())).metadataKeyValueStore).toStrictEqual([{ key: 'floors', value: { integer: 1 } }])
    const { uuid, metadataKeyValueStore: metadata } = await makeSystem(domain(), {
      metadataKeyValueStore: [{ key: 'floors', value: null }],
    })
    expect(metadata).toStrictEqual([{ key: 'floors', value: null }])
    expect(
      (await updateSystem(domain(), EVERYWHERE, uuid, { metadataKeyValueStore: [] })).metadataKeyValueStore,
    ).toStrictEqual([])
  })

  it('is canonical: sorted, tagged, one spelling for an instant', async () => {
    const { metadataKeyValueStore: metadata } = await makeSystem(domain(), {
      metadataKeyValueStore: [
        { key: 'installed', value: '2026-01-02T04:00:00+01:00' },
        { key: 'free', value: true },
        { key: 'floors', value: 3 },
      ],
    })
    expect(metadata).toStrictEqual([
      { key: 'floors', value: { integer: 3 } },
      { key: 'free', value: { boolean: true } },
      { key: 'installed', value: { timestamp: '2026-01-02T03:00:00Z' } },
    ])
  })

  it('that must be unique is refused where another one has it, also within one call', async () => {
    const { uuid: system } = await makeSystem(domain())
    const { uuid } = await makeComponent(domain(), system, serial('A-1'))
    const refused = { code: 'CONFLICT', message: expect.stringContaining('"A-1"') as string }
    await expect(makeComponent(domain(), system, serial('A-1'))).rejects.toMatchObject(refused)
    const other = await makeComponent(domain(), system, serial('A-2'))
    await expect(updateComponent(domain(), EVERYWHERE, other.uuid, serial('A-1'))).rejects.toMatchObject(refused)
    const twice = [1, 2].map((n) => ({ system, componentModel: 'sensor', name: `${n}`, ...serial('A-3') }))
    await expect(createComponents(domain(), EVERYWHERE, twice)).rejects.toMatchObject({ code: 'CONFLICT' })

    await updateComponent(domain(), EVERYWHERE, uuid, serial('A-1'))
    await updateComponent(domain(), EVERYWHERE, uuid, serial('A-4'))
    await updateComponent(domain(), EVERYWHERE, other.uuid, serial('A-1'))
    expect((await listComponents(domain(), ANYBODY, {}, { first: 9, after: null })).total).toBe(2)
  })

  it('that must be unique may be longer than a key of the database', async () => {
    const { uuid } = await makeSystem(domain())
    const long = serial(Array.from({ length: 250 }, () => crypto.randomUUID()).join(''))
    await makeComponent(domain(), uuid, long)
    await expect(makeComponent(domain(), uuid, long)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('a plan says where a new rule is broken, and apply refuses it', async () => {
    const { uuid: system } = await makeSystem(domain())
    await applyAll(domain(), ruling({ unique: false }))
    const same = [1, 2].map((n) => ({ system, componentModel: 'sensor', name: `${n}`, ...serial('same') }))
    const [first, second] = await createComponents(domain(), EVERYWHERE, same)
    const unique = await plan(domain(), ruling({ unique: true }))
    expect(unique.outcome).toBe('blocked')
    expect(unique.diagnostics).toMatchObject([{ code: 'held-metadata-value', pointer: '/metadataTypes/0' }])
    expect(unique.diagnostics[0]?.message).toMatch(new RegExp(`"same".*(${first?.uuid}|${second?.uuid})`))
    const typed = await plan(domain(), ruling({ dataType: 'INTEGER' }))
    expect(typed.diagnostics.map(({ code }) => code)).toEqual(['held-metadata-value', 'held-metadata-value'])
    // An account that may apply need not be one that may read data.
    const refused = await applyAll(domain(), ruling({ unique: true })).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'BLOCKED', message: expect.stringContaining('1 value in the metadata of') })
    expect(JSON.stringify(refused)).not.toContain('same')
  })

  it('a plan lists the first thousand values that break a rule, and counts the others', async () => {
    const { uuid: system } = await makeSystem(domain())
    await applyAll(domain(), ruling({ unique: false }))
    const components = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ system, componentModel: 'sensor', name: `${n}`, ...serial('same') }))
    await createComponents(domain(), EVERYWHERE, components(1_000))
    await createComponents(domain(), EVERYWHERE, components(203))
    const { diagnostics } = await plan(domain(), ruling({ unique: true }))
    expect(diagnostics).toHaveLength(1_001)
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'held-metadata-values',
      message: '202 more values in the metadata of systems, components or events would not fit and are not listed',
    })
    const ended = await plan(domain(), { metadataTypes: [] })
    expect(ended.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^1203 values .* 1,?203 components$/),
    ])
  })

  it('follows its type when that becomes unique, and when it does not have to be any more', async () => {
    const { uuid } = await makeSystem(domain())
    await applyAll(domain(), ruling({ unique: false }))
    await makeComponent(domain(), uuid, serial('one'))
    await applyAll(domain(), ruling({ unique: true }))
    await expect(makeComponent(domain(), uuid, serial('one'))).rejects.toMatchObject({ code: 'CONFLICT' })
    await applyAll(domain(), ruling({ unique: false }))
    await makeComponent(domain(), uuid, serial('one'))
    await applyAll(domain(), { metadataTypes: [] })
    await makeComponent(domain(), uuid, serial('one'))
  })
})
