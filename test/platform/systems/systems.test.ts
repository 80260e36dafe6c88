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
