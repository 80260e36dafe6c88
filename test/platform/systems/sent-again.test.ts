import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewComponent, NewSystem } from '../../../generated/entities.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { updateRecord } from '../../../src/platform/records/change-record.ts'
import { findRecord } from '../../../src/platform/records/read-records.ts'
import {
  createComponents,
  listComponents,
  updateComponent,
  type Component,
} from '../../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { createSystem, findSystem, listSystems, updateSystem } from '../../../src/platform/systems/systems.ts'
import { createPostgresDatabase, DATABASES, type PostgresDatabase } from '../../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { applyAll, makeDomain } from '../../support/domain.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeComponent, makeSystem, MODEL } from './site.ts'

const PAGE = { first: 9, after: null }

const CONTENT = {
  name: 'House',
  organizationUnit: 'acme/eg',
  metadataKeyValueStore: [{ key: 'installed', value: '2026-01-01T00:00:00Z' }],
} as const satisfies NewSystem

describe.each(DATABASES)('a creation that is sent again, on $name', (kind) => {
  const domain = oneDomain(kind)
  let uuid: string
  beforeEach(async () => {
    uuid = crypto.randomUUID()
    await applyAll(domain(), MODEL)
  })

  it('returns the stored system, whatever the spelling of its uuid, and counts the defaults as content', async () => {
    const made = await makeSystem(domain(), { uuid, ...CONTENT })
    const floors = { key: 'floors', value: 1 }
    const spelledOut = { status: 'ACTIVATED', isPrototype: false } as const
    const items = [floors, ...CONTENT.metadataKeyValueStore]
    expect(await makeSystem(domain(), { uuid: uuid.toUpperCase(), ...CONTENT })).toStrictEqual(made)
    expect(await makeSystem(domain(), { uuid, ...CONTENT, ...spelledOut, metadataKeyValueStore: items })).toStrictEqual(
      made,
    )
    expect((await listSystems(domain(), ANYBODY, {}, PAGE)).total).toBe(1)
  })

  it('names each difference of a system, and what is stored', async () => {
    await makeSystem(domain(), { uuid, ...CONTENT })
    const again = { uuid, name: 'Hut', isPrototype: true, metadataKeyValueStore: [{ key: 'floors', value: 2 }] }
    const message = `the system ${uuid} is stored with another name ("House"), isPrototype (false), organizationUnit ("acme/eg"), metadata "floors" (1), metadata "installed" ("2026-01-01T00:00:00Z"); change it by updateSystem, or choose another uuid`
    await expect(makeSystem(domain(), again)).rejects.toMatchObject({
      code: 'CONFLICT',
      message,
      details: [{ pointer: '/input/uuid', code: 'CONFLICT', detail: message }],
    })
    expect(await findSystem(domain(), ANYBODY, uuid)).toMatchObject({ name: 'House', isPrototype: false })
  })

  it('names ten differences of many, and the beginnings of what is stored', async () => {
    const items = Array.from({ length: 12 }, (_, index) => ({ key: `note-${index + 10}`, value: 'x'.repeat(1_000) }))
    await makeSystem(domain(), { uuid, name: 'House', metadataKeyValueStore: items })
    const message = new RegExp(`another metadata "note-10" \\("x{63}…\\), .*"note-19" \\("x{63}…\\) and 2 more; change`)
    await expect(makeSystem(domain(), { uuid, name: 'House' })).rejects.toThrow(message)
  })

  it('differs from a system that was changed or archived since', async () => {
    await makeSystem(domain(), { uuid, name: 'House' })
    await updateSystem(domain(), EVERYWHERE, uuid, { status: 'ARCHIVED' })
    await expect(makeSystem(domain(), { uuid, name: 'House' })).rejects.toThrow('another status ("ARCHIVED");')
    expect(await makeSystem(domain(), { uuid, name: 'House', status: 'ARCHIVED' })).toMatchObject({ uuid })
  })

  it('still returns a system whose unit, and a component whose system and model accept nothing new', async () => {
    const given = { uuid, name: 'House', organizationUnit: 'acme' }
    const system = await makeSystem(domain(), given)
    const component = await makeComponent(domain(), uuid, { uuid })
    await updateRecord(domain(), 'organizations', 'acme', { status: 'ARCHIVED' }, [])
    await updateRecord(domain(), 'componentModels', 'heat-pump', { status: 'ARCHIVED' }, [])
    await expect(makeSystem(domain(), { ...given, uuid: null })).rejects.toThrow('is ARCHIVED')
    await expect(makeComponent(domain(), uuid)).rejects.toThrow('is ARCHIVED')
    expect(await makeSystem(domain(), given)).toStrictEqual(system)
    await updateSystem(domain(), EVERYWHERE, uuid, { status: 'ARCHIVED' })
    expect(await makeComponent(domain(), uuid, { uuid })).toMatchObject(component)
  })

  it('tells an actor in another unit only that the uuid is taken', async () => {
    const unit = await findRecord(domain(), ANYBODY, 'organizations', 'acme/eg')
    const system = await makeSystem(domain(), { uuid, name: 'Secret' })
    const component = await makeComponent(domain(), uuid, { uuid, name: 'Secret' })
    const bound = { systemUuid: null, units: [unit?.uuid ?? ''] }
    const own = await makeSystem(domain(), { name: 'Own', organizationUnit: 'acme/eg' })
    await expect(
      createSystem(domain(), bound, { uuid, name: system.name, organizationUnit: 'acme/eg' }),
    ).rejects.toThrow(new RegExp(`^there is a system ${uuid} already$`))
    const input = { uuid: component.uuid, system: own.uuid, componentModel: 'heat-pump', name: component.name }
    await expect(createComponents(domain(), bound, [input])).rejects.toThrow(
      new RegExp(`^there is a component ${component.uuid} already$`),
    )
  })

  describe('with a list of components', () => {
    let inputs: readonly (NewComponent & { readonly uuid: string })[]
    let first: readonly Component[]
    beforeEach(async () => {
      await makeSystem(domain(), { uuid })
      inputs = ['A', 'B', 'C'].map((name) => ({
        uuid: crypto.randomUUID(),
        system: uuid,
        componentModel: 'sensor',
        name,
      }))
      first = await createComponents(domain(), EVERYWHERE, inputs.slice(0, 2))
    })

    it('creates the missing ones, and returns all in the order of the list', async () => {
      const answer = await createComponents(domain(), EVERYWHERE, inputs.toReversed())
      expect(answer.map(({ name }) => name)).toStrictEqual(['C', 'B', 'A'])
      expect(answer.slice(1)).toMatchObject(first.toReversed())
      expect((await listComponents(domain(), ANYBODY, {}, PAGE)).total).toBe(3)
    })

    it('creates none if one is stored with other content', async () => {
      await updateComponent(domain(), EVERYWHERE, inputs[1]?.uuid ?? '', { name: 'Renamed' })
      await expect(createComponents(domain(), EVERYWHERE, inputs)).rejects.toMatchObject({
        code: 'CONFLICT',
        details: [
          {
            pointer: '/input/1/uuid',
            detail: `the component ${inputs[1]?.uuid} is stored with another name ("Renamed"); change it by updateComponent, or choose another uuid`,
          },
        ],
      })
      expect((await listComponents(domain(), ANYBODY, {}, PAGE)).total).toBe(2)
    })

    it('refuses a list that names one twice', async () => {
      const [one] = inputs
      if (one === undefined) throw new Error('there is an input')
      await expect(createComponents(domain(), EVERYWHERE, [one, one])).rejects.toThrow('have the same uuid')
    })
  })
})

describe('a creation that is sent to two servers at once', () => {
  let place: PostgresDatabase
  let servers: readonly Database[]
  beforeAll(async () => {
    place = await createPostgresDatabase(MIGRATED_TEMPLATE)
    servers = await Promise.all([1, 2].map(() => openPostgres(place.url, { maxConnections: 3 })))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await place.drop()
  })

  it('returns one system and one component from both', async () => {
    const contexts = await Promise.all(servers.map((database) => makeDomain(database)))
    const [context] = contexts
    if (context === undefined) throw new Error('there are two servers')
    await applyAll(context, MODEL)
    const uuid = crypto.randomUUID()
    const systems = await Promise.all(contexts.map((each) => makeSystem(each, { uuid, ...CONTENT })))
    const components = await Promise.all(contexts.map((each) => makeComponent(each, uuid, { uuid })))
    expect(new Set(systems.map(({ createdAt }) => createdAt.getTime())).size).toBe(1)
    expect(new Set(components.map(({ createdAt }) => createdAt.getTime())).size).toBe(1)
    expect(systems[0]).toStrictEqual(systems[1])
  })
})
