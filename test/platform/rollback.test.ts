import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Apply } from '../../src/platform/imports/history/applies.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { strongSecret } from '../support/example-records.ts'
import { codesOf, effects, rowOf, storedKeys, storedRecord, storedRecords } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()

async function rollBack({ uuid }: Apply): Promise<Apply> {
  const settings = acknowledging((await planRollback(domain(), uuid, NO_SETTINGS)).plan)
  const { plan: inverse } = await planRollback(domain(), uuid, settings)
  return applyImport(domain(), { document: {}, settings, plan: inverse, origin: { rollbackOf: uuid } })
}

const planned = async ({ uuid }: Apply) => effects((await planRollback(domain(), uuid, NO_SETTINGS)).plan)

/** Keys, uuids and bodies; not how often they were written. */
async function state(): Promise<unknown> {
  return (await storedRecords(domain())).map(({ type, key, uuid, body, digest }) => ({ type, key, uuid, body, digest }))
}

const services = (...list: readonly JsonObject[]) => ({ services: list })
const service = (code: string, name = 'Name', fields: JsonObject = {}): JsonObject => ({ code, name, ...fields })
const moving = (from: string, to: string): Settings => ({ ...NO_SETTINGS, moved: [{ type: 'services', from, to }] })

interface Case {
  readonly what: string
  readonly before: object
  readonly after: object
  readonly settings?: Settings
  readonly inverse: readonly string[]
}

const user = (password: string) => ({ machineUsers: [{ username: 'gateway', password: strongSecret(password) }] })

const CASES: readonly Case[] = [
  {
    what: 'a creation',
    before: services(service('a')),
    after: services(service('a'), service('b')),
    inverse: ['delete services/b'],
  },
  {
    what: 'an update',
    before: services(service('a')),
    after: services(service('a', 'New')),
    inverse: ['update services/a'],
  },
  {
    what: 'a deletion',
    before: services(service('a'), service('b')),
    after: services(service('b')),
    inverse: ['create services/a'],
  },
  {
    what: 'a move',
    before: services(service('a')),
    after: services(service('b', 'New')),
    settings: moving('a', 'b'),
    inverse: ['move services/b → a'],
  },
  {
    what: 'a chain of moves',
    before: services(service('a'), service('b')),
    after: services(service('b'), service('c')),
    settings: { ...NO_SETTINGS, moved: [...moving('a', 'b').moved, ...moving('b', 'c').moved] },
    inverse: ['move services/b → a', 'move services/c → b'],
  },
  { what: 'a new secret', before: user('one'), after: user('two'), inverse: ['update machineUsers/gateway'] },
  {
    what: 'a deleted secret',
    before: user('one'),
    after: { machineUsers: [] },
    inverse: ['create machineUsers/gateway'],
  },
  {
    what: 'a deleted tree',
    before: { organizations: [{ name: 'a', organizationUnits: [{ name: 'b' }] }, { name: 'z' }] },
    after: { organizations: [{ name: 'z' }] },
    inverse: ['create organizations/a', 'create organizations/a/b'],
  },
]

describe.each(CASES)('the rollback of $what', ({ before, after, settings = NO_SETTINGS, inverse }) => {
  test('restores every record with its uuid', async () => {
    await applyAll(domain(), before)
    const earlier = await state()
    const apply = await applyAll(domain(), after, settings)
    expect(await planned(apply)).toEqual(inverse)
    await rollBack(apply)
    expect(await state()).toEqual(earlier)
    expect((await plan(domain(), before)).outcome).toBe('no-changes')
  })

  test('can be rolled back in its turn, and that again', async () => {
    await applyAll(domain(), before)
    const earlier = await state()
    const apply = await applyAll(domain(), after, settings)
    const later = await state()
    const first = await rollBack(apply)
    const second = await rollBack(first)
    expect(await state()).toEqual(later)
    await rollBack(second)
    expect(await state()).toEqual(earlier)
  })
})

const serviceWith = (...list: readonly JsonObject[]) => services(service('a', 'A', { characteristics: list }))

const named = (name: string, description: string) => services(service('a', name, { description }))
const guards = async ({ uuid }: Apply) =>
  (await planRollback(domain(), uuid, NO_SETTINGS)).plan.changes.flatMap((change) => change.guards)
const body = async () => (await storedRecord(domain(), 'services', 'a')).body
const items = (...pairs: readonly (readonly [string, string])[]) =>
  services(service('a', 'A', { metadataKeyValueStore: pairs.map(([key, value]) => ({ key, value })) }))

describe('after later changes a rollback', () => {
  test('reverts the fields that the apply changed, and no others', async () => {
    await applyAll(domain(), named('One', 'd0'))
    const apply = await applyAll(domain(), named('One', 'd1'))
    await applyAll(domain(), named('Later', 'd1'))
    expect(await guards(apply)).toEqual([])
    await rollBack(apply)
    expect(await body()).toMatchObject({ name: 'Later', description: 'd0' })
  })

  test('asks before it overwrites a later apply, and names it', async () => {
    await applyAll(domain(), named('First', 'd'))
    const apply = await applyAll(domain(), named('Second', 'd'))
    const origin = { commit: 'c'.repeat(40), pullRequest: '#12', actor: 'ann' }
    const { uuid } = await applyAll(domain(), named('Third', 'd'), NO_SETTINGS, origin)
    expect(await guards(apply)).toMatchObject([
      {
        code: 'overwrites-later',
        message: expect.stringMatching(new RegExp(`name by the apply ${uuid}, #12 \\(ann, as tester, at`)),
      },
    ])
    const { plan: inverse } = await planRollback(domain(), apply.uuid, NO_SETTINGS)
    const request = { document: {}, settings: NO_SETTINGS, plan: inverse, origin: { rollbackOf: apply.uuid } }
    await expect(applyImport(domain(), request)).rejects.toMatchObject({ code: 'BLOCKED' })
    await rollBack(apply)
    expect((await body())['name']).toBe('First')
  })

  test('asks before it overwrites a change by hand, and names the person', async () => {
    await applyAll(domain(), named('First', 'd'))
    const apply = await applyAll(domain(), named('Second', 'd'))
    await updateRecord(domain(), 'services', 'a', { name: 'By hand' }, [])
    expect(await guards(apply)).toMatchObject([
      { code: 'overwrites-later', message: expect.stringMatching(/name by .* on the platform, at \d{4}-/) },
    ])
  })

  test('reverts each metadata item by itself', async () => {
    await applyAll(domain(), items(['x', '1'], ['y', '1']))
    const apply = await applyAll(domain(), items(['x', '2'], ['y', '1']))
    await applyAll(domain(), items(['x', '2'], ['y', '2'], ['z', '2']))
    expect(await guards(apply)).toEqual([])
    await rollBack(apply)
    const restored = (await body())['metadataKeyValueStore']
    expect(restored).toEqual(
      Object.entries({ x: '1', y: '2', z: '2' }).map(([key, string]) => ({ key, value: { string } })),
    )
  })

  test('asks before it overwrites a later secret', async () => {
    await applyAll(domain(), user('one'))
    const apply = await applyAll(domain(), user('two'))
    expect(await guards(apply)).toEqual([])
    await applyAll(domain(), user('three'))
    expect(await guards(apply)).toMatchObject([
      { code: 'overwrites-later', message: expect.stringContaining('password by the apply') },
    ])
  })

  test('does not make a record again that somebody has deleted', async () => {
    await applyAll(domain(), services(service('a', 'First'), service('z')))
    const apply = await applyAll(domain(), services(service('a', 'Second'), service('z')))
    await applyAll(domain(), services(service('z')))
    const { plan: inverse } = await planRollback(domain(), apply.uuid, NO_SETTINGS)
    expect({ effects: effects(inverse), diagnostics: inverse.diagnostics }).toMatchObject({
      effects: [],
      diagnostics: [{ severity: 'warning', code: 'stays-deleted', message: expect.stringContaining('services/a') }],
    })
  })

  test('does not look at records that the apply did not touch', async () => {
    await applyAll(domain(), services(service('a'), service('b')))
    const apply = await applyAll(domain(), services(service('a', 'New'), service('b')))
    await updateRecord(domain(), 'services', 'b', { name: 'Other' }, [])
    await createRecord(domain(), 'services', service('c'), [])
    expect(await planned(apply)).toEqual(['update services/a'])
  })

  test('has nothing to do where somebody did it already', async () => {
    await applyAll(domain(), services(service('a')))
    const apply = await applyAll(domain(), services(service('a'), service('b')))
    await deleteRecord(domain(), 'services', 'b', [])
    expect(await planned(apply)).toEqual([])
  })

  test('finds a record that was renamed since, and leaves it its new key', async () => {
    await applyAll(domain(), services(service('a', 'First')))
    const apply = await applyAll(domain(), services(service('a', 'Second')))
    await applyAll(domain(), services(service('b', 'Second')), moving('a', 'b'))
    expect(await planned(apply)).toEqual(['update services/b'])
    await rollBack(apply)
    expect((await storedRecord(domain(), 'services', 'b')).body).toMatchObject({ name: 'First' })
  })

  test('asks before it takes back a later rename together with its own', async () => {
    await applyAll(domain(), services(service('a')))
    const apply = await applyAll(domain(), services(service('b')), moving('a', 'b'))
    await applyAll(domain(), services(service('c')), moving('b', 'c'))
    expect(await planned(apply)).toEqual(['move services/c → a'])
    expect(await guards(apply)).toMatchObject([
      { code: 'overwrites-later', message: expect.stringContaining('code by') },
    ])
  })

  test('deletes a created record that was renamed since', async () => {
    await applyAll(domain(), services(service('z')))
    const apply = await applyAll(domain(), services(service('a'), service('z')))
    await applyAll(domain(), services(service('b'), service('z')), moving('a', 'b'))
    expect(await planned(apply)).toEqual(['delete services/b'])
    await rollBack(apply)
    expect(await storedKeys(domain(), 'services')).toEqual(['z'])
  })

  test('updates a record that was deleted and made again, under its new uuid', async () => {
    await applyAll(domain(), services(service('a', 'First')))
    const apply = await applyAll(domain(), services(service('a', 'Second')))
    await deleteRecord(domain(), 'services', 'a', [])
    const { uuid } = await createRecord(domain(), 'services', service('a', 'Third'), [])
    await rollBack(apply)
    expect(await storedRecord(domain(), 'services', 'a')).toMatchObject({ uuid, body: { name: 'First' } })
  })

  test('is blocked where a record would refer to one that is gone', async () => {
    const linked = { characteristics: [{ code: 't', name: 'T', characteristicType: 'SETTING', dataType: 'TIME' }] }
    await applyAll(domain(), { ...linked, ...serviceWith({ code: 't' }) })
    const apply = await applyAll(domain(), { ...linked, ...serviceWith() })
    await deleteRecord(domain(), 'characteristics', 't', [])
    await expect(rollBack(apply)).rejects.toMatchObject({ code: 'BLOCKED' })
  })
})

describe('the scope', () => {
  test('is again what it was before the apply', async () => {
    await applyAll(domain(), services(service('a')))
    const apply = await applyAll(domain(), { dataSources: [{ code: 'd' }] })
    await rollBack(apply)
    const next = await plan(domain(), {})
    expect(rowOf(next, 'services').previously).toBe('managed')
    expect(rowOf(next, 'dataSources').previously).toBe(null)
  })

  test('keeps what later applies manage', async () => {
    const dataSources = [{ code: 'd' }]
    const apply = await applyAll(domain(), { dataSources })
    const characteristics = [{ code: 't', name: 'T', characteristicType: 'SETTING', dataType: 'TIME' }]
    await applyAll(domain(), { dataSources, characteristics })
    await rollBack(apply)
    expect(rowOf(await plan(domain(), {}), 'characteristics').state).toBe('released')
    await updateRecord(domain(), 'characteristics', 't', { name: 'By hand' }, [])
    expect((await plan(domain(), { characteristics })).changes).toMatchObject([{ cause: 'drift' }])
  })

  test('guards hold for rollbacks as well', async () => {
    const many = Array.from({ length: 7 }, (_, index) => service(`s${index}`))
    const apply = await applyAll(domain(), services(...many))
    const { plan: inverse } = await planRollback(domain(), apply.uuid, NO_SETTINGS)
    expect(inverse.outcome).toBe('blocked')
    expect(codesOf(rowOf(inverse, 'services'))).toEqual(['mass-delete'])
  })
})

test('an apply that does not exist is NOT_FOUND', async () => {
  const uuid = '00000000-0000-4000-8000-000000000000'
  await expect(planRollback(domain(), uuid, NO_SETTINGS)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the history says which apply was rolled back', async () => {
  const apply = await applyAll(domain(), services(service('a')))
  expect((await rollBack(apply)).origin).toEqual({ rollbackOf: apply.uuid })
})
