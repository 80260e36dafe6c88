import type { NewSystem } from '../../../generated/entities.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createComponents,
  findComponent,
  listComponents,
  updateComponent,
} from '../../../src/platform/systems/components.ts'
import { findSystem, listSystems, updateSystem } from '../../../src/platform/systems/systems.ts'
import { createSystemCredential } from '../../../src/platform/systems/credentials.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { fetchModelVersion } from '../../../src/store/model/model-versions.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, makeDomain, plan } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeComponent, makeSite, makeSystem, MODEL } from './site.ts'

const serial = (value: string) => ({ metadataKeyValueStore: [{ key: 'serial', value }] })

const ruling = (serialType: object) => ({
  metadataTypes: [{ entityType: 'COMPONENT', key: 'serial', dataType: 'STRING', ...serialType }],
})

const NOBODY = '00000000-0000-4000-8000-000000000000'

describe.each(SAMPLED_DATABASES)('systems and components on $name', (kind) => {
  const domain = oneDomain(kind)
  beforeEach(() => applyAll(domain(), MODEL))

  it('a system is made, read, changed and archived', async () => {
    const uuid = crypto.randomUUID()
    const made = await makeSystem(domain(), { uuid, name: 'Höhe 7', organizationUnit: 'acme/eg' })
    expect(made).toMatchObject({ uuid, name: 'Höhe 7', status: 'ACTIVATED', organizationUnit: 'acme/eg' })
    expect(await findSystem(domain(), ANYBODY, uuid)).toStrictEqual(made)
    const changed = await updateSystem(domain(), EVERYWHERE, uuid, { organizationUnit: null, status: 'ARCHIVED' })
    expect(changed).toStrictEqual({
      ...made,
      organizationUnit: null,
      unitUuid: null,
      status: 'ARCHIVED',
      updatedAt: changed.updatedAt,
    })
    expect(await findSystem(domain(), ANYBODY, uuid)).toStrictEqual(changed)
  })

  it('its unit may be renamed: it stays the same one', async () => {
    const { uuid } = await makeSystem(domain(), { organizationUnit: 'acme' })
    const [acme] = MODEL.organizations
    const organizations = [{ ...acme, alias: 'acme-ltd' }]
    const moved = [{ type: 'organizations' as const, from: 'acme', to: 'acme-ltd' }]
    await applyAll(domain(), { ...MODEL, organizations }, { acknowledge: [], protect: [], moved })
    expect((await findSystem(domain(), ANYBODY, uuid))?.organizationUnit).toBe('acme-ltd')
  })

  it('components are made in bulk, all or none', async () => {
    const { uuid: system } = await makeSystem(domain())
    const inputs = Array.from({ length: 500 }, (_, n) => ({ system, componentModel: 'sensor', name: `Sensor ${n}` }))
    expect(await createComponents(domain(), EVERYWHERE, inputs)).toHaveLength(500)
    const wrong = [...inputs, { system, componentModel: 'nothing', name: 'Of no model' }]
    await expect(createComponents(domain(), EVERYWHERE, wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listComponents(domain(), ANYBODY, {}, { first: 1, after: null })).total).toBe(500)
  })

  it('a component is read as it was made, and changed', async () => {
    const { uuid } = await makeSystem(domain())
    const made = await makeComponent(domain(), uuid, { metadataKeyValueStore: [{ key: 'power', value: 3 }] })
    expect(made).toMatchObject({
      systemUuid: uuid,
      componentModel: 'heat-pump',
      metadataKeyValueStore: [{ key: 'power', value: { float: 3 } }],
    })
    expect(await findComponent(domain(), ANYBODY, made.uuid)).toStrictEqual({ ...made, unitUuid: null })
    const changed = await updateComponent(domain(), EVERYWHERE, made.uuid, {
      name: 'Other',
      status: 'DEACTIVATED',
      metadataKeyValueStore: [],
    })
    expect(changed).toMatchObject({ name: 'Other', status: 'DEACTIVATED', metadataKeyValueStore: [] })
    expect(await findComponent(domain(), ANYBODY, made.uuid)).toStrictEqual(changed)
  })

  it('lists are pages by name, and filters hold together', async () => {
    const { uuid } = await makeSystem(domain(), { name: 'B', organizationUnit: 'acme/eg' })
    await makeSystem(domain(), { name: 'A', organizationUnit: 'acme' })
    await makeSystem(domain(), { name: 'C', status: 'ARCHIVED' })
    const names = async (filter: object, after: string | null = null) => {
      const { items, total, hasNext } = await listSystems(domain(), ANYBODY, filter, { first: 2, after })
      return { names: items.map(({ name }) => name).join(''), total, hasNext }
    }
    expect(await names({})).toStrictEqual({ names: 'AB', total: 3, hasNext: true })
    expect(await names({}, uuid)).toStrictEqual({ names: 'C', total: 3, hasNext: false })
    expect(await names({ organizationUnits: ['acme'] })).toMatchObject({ names: 'AB', total: 2 })
    expect(await names({ organizationUnits: ['acme/eg'] })).toMatchObject({ names: 'B' })
    expect(await names({ organizationUnits: ['ac'] })).toMatchObject({ names: '' })
    expect(await names({ status: ['ARCHIVED'], search: 'c' })).toMatchObject({ names: 'C' })
  })

  // The last one is the sign of Kelvin, whose small letter is of ASCII.
  it.each(['ärzte', 'ÄRZTE', 'haus ß', 'HAUS', '\u212A'])('%s is found in names in any case', async (search) => {
    const name = search === '\u212A' ? 'kettle' : 'Ärztehaus ß'
    const { uuid } = await makeSystem(domain(), { name })
    await makeSystem(domain(), { name: 'Arztehas' })
    await makeComponent(domain(), uuid, { name })
    const page = { first: 2, after: null }
    const found = [
      await listSystems(domain(), ANYBODY, { search }, page),
      await listComponents(domain(), ANYBODY, { search }, page),
    ]
    expect(found.map(({ items }) => items.map((one) => one.name))).toStrictEqual([[name], [name]])
  })

  it.each([
    ['a unit that is not there', { organizationUnit: 'acme/og' }, 'NOT_FOUND', 'acme/og'],
    ['an empty name', { name: ' ' }, 'BAD_USER_INPUT', 'empty'],
    ['a name of two lines', { name: 'a\nb' }, 'BAD_USER_INPUT', 'control character'],
    ['a name that PostgreSQL cannot store', { name: 'a\0' }, 'BAD_USER_INPUT', 'U+0000'],
    ['a name that PGlite would change', { name: '\ufeffa' }, 'BAD_USER_INPUT', 'U+FEFF'],
    ['a name that is too long', { name: 'a'.repeat(501) }, 'LIMIT_EXCEEDED', '500'],
    [
      'metadata of another type',
      { metadataKeyValueStore: [{ key: 'floors', value: 'two' }] },
      'BAD_USER_INPUT',
      'INTEGER',
    ],
    ['metadata of no kind', { metadataKeyValueStore: [{ key: 'x', value: [1] }] }, 'BAD_USER_INPUT', '"x"'],
    [
      'metadata with a wrong tag',
      { metadataKeyValueStore: [{ key: 'x', value: { integer: 'a' } }] },
      'BAD_USER_INPUT',
      'integer',
    ],
    [
      'metadata with two tags',
      { metadataKeyValueStore: [{ key: 'x', value: { integer: 1, float: 1 } }] },
      'BAD_USER_INPUT',
      'one member',
    ],
    ['inexact metadata', { metadataKeyValueStore: [{ key: 'floors', value: 2 ** 53 }] }, 'BAD_USER_INPUT', 'exactly'],
    [
      'metadata given twice',
      { metadataKeyValueStore: ['x', 'x'].map((key) => ({ key, value: 1 })) },
      'BAD_USER_INPUT',
      'twice',
    ],
  ])('a system with %s is refused', async (_, input, code, message) => {
    const making = makeSystem(domain(), input as Partial<NewSystem>)
    await expect(making).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string })
    expect((await listSystems(domain(), ANYBODY, {}, { first: 1, after: null })).total).toBe(0)
  })

  it('nothing is made of what is not ACTIVATED, nor in what is ARCHIVED', async () => {
    const { uuid } = await makeSystem(domain())
    await updateRecord(domain(), 'componentModels', 'sensor', { status: 'DEACTIVATED' }, [])
    await expect(makeComponent(domain(), uuid, { componentModel: 'sensor' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await updateSystem(domain(), EVERYWHERE, uuid, { status: 'ARCHIVED' })
    await expect(makeComponent(domain(), uuid)).rejects.toThrow(/ARCHIVED/)
    await expect(makeComponent(domain(), NOBODY)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('a domain knows nothing of the systems of another', async () => {
    const { uuid } = await makeSystem(domain())
    const other = await makeDomain(domain().database, 'other')
    expect(await findSystem(other, ANYBODY, uuid)).toBeNull()
    await expect(updateSystem(other, EVERYWHERE, uuid, { name: 'Mine' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await applyAll(other, MODEL)
    await expect(makeComponent(other, uuid)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
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

describe('the version of the model', () => {
  const domain = oneDomain()
  const version = () =>
    readDomain(domain().database, domain().domain.id, (sql) => fetchModelVersion(sql, domain().domain.id))

  it('is raised by every write of the model, and by what closes systems and components or opens them; by no plan', async () => {
    const seen = [await version()]
    const after = async (work: () => Promise<unknown>) => {
      await work()
      seen.push(await version())
    }
    await after(() => applyAll(domain(), MODEL))
    await after(() => updateRecord(domain(), 'characteristics', 'power', { symbol: 'W' }, []))
    const { system, pump } = await makeSite(domain())
    await after(() => updateSystem(domain(), EVERYWHERE, system.uuid, { status: 'DEACTIVATED' }))
    await after(() => updateComponent(domain(), EVERYWHERE, pump.uuid, { status: 'ARCHIVED' }))
    expect(seen).toStrictEqual([...new Set(seen)].sort((a, b) => a - b))
    await plan(domain(), {})
    expect(await version()).toBe(seen.at(-1))
  })

  it('is not raised by what is new, and by names: nobody remembers anything of these', async () => {
    await applyAll(domain(), MODEL)
    const before = await version()
    const { system, pump } = await makeSite(domain())
    await updateSystem(domain(), EVERYWHERE, system.uuid, { name: 'Another name' })
    await updateComponent(domain(), EVERYWHERE, pump.uuid, { name: 'Another name', status: 'ACTIVATED' })
    await createSystemCredential(domain(), system.uuid)
    expect(await version()).toBe(before)
  })

  it('is not raised by a write that fails', async () => {
    const before = await version()
    await expect(makeSystem(domain(), { organizationUnit: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await version()).toBe(before)
  })
})
