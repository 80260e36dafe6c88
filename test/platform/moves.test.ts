import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../src/records/record-type.ts'
import { NO_SETTINGS, type Move, type Settings } from '../../src/records/settings.ts'
import { applyAll, plan } from '../support/domain.ts'
import { endsOf, example, exampleKey, examples } from '../support/example-records.ts'
import { changeOf, effects, findings, storedKeys, storedRecord, storedRecords } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()

function moving(...moved: readonly [type: RecordTypeName, from: string, to: string][]): Settings {
  return { ...NO_SETTINGS, moved: moved.map(([type, from, to]): Move => ({ type, from, to })) }
}

async function uuidOf(type: RecordTypeName, key: string): Promise<string> {
  return (await storedRecord(domain(), type, key)).uuid
}

const characteristics = (...names: readonly string[]) => ({ characteristics: examples('characteristics', names) })

const endsWith = (service: string) => ({
  ...characteristics('temperature'),
  services: examples('services', [service]),
  componentModels: examples('componentModels', ['pump']),
})

const acmeAs = (alias: string) => ({
  organizations: [{ name: 'Acme', alias }],
  users: [{ email: 'ada@example.org', organization: { alias } }],
})

describe('a move', () => {
  test.each(DOCUMENT_TYPE_NAMES)(
    'of %s renames the record, keeps its uuid and does nothing once it is done',
    async (type) => {
      const document = (name: string) => ({ ...endsOf(type, ['old', 'new']), [type]: [example(type, name)] })
      const [from, to] = [exampleKey(type, 'old'), exampleKey(type, 'new')]
      const settings = moving([type, from, to])
      await applyAll(domain(), document('old'))
      const uuid = await uuidOf(type, from)

      expect(effects(await plan(domain(), document('new'), settings))).toEqual([`move ${type}/${from} → ${to}`])
      await applyAll(domain(), document('new'), settings)
      expect(await storedKeys(domain(), type)).toEqual([to])
      expect(await uuidOf(type, to)).toBe(uuid)

      const again = await plan(domain(), document('new'), settings)
      expect({ outcome: again.outcome, findings: findings(again) }).toEqual({ outcome: 'no-changes', findings: [] })
    },
  )

  test('changes the other fields of the record in the same step', async () => {
    await applyAll(domain(), { services: [{ code: 'old', name: 'Old', description: 'kept' }] })
    const document = { services: [{ code: 'new', name: 'New' }] }
    const settings = moving(['services', 'old', 'new'])
    expect(changeOf(await plan(domain(), document, settings), 'services', 'new').patch).toEqual([
      { op: 'replace', path: '/name', value: 'New' },
      { op: 'replace', path: '/code', value: 'new' },
    ])
    await applyAll(domain(), document, settings)
    expect((await storedRecord(domain(), 'services', 'new')).body['description']).toBe('kept')
  })

  test('takes links along, also those of types that the document does not manage', async () => {
    await applyAll(domain(), {
      ...endsWith('old'),
      characteristicServiceLinks: [{ characteristicCode: 'temperature', serviceCode: 'old' }],
      serviceComponentModelLinks: [{ serviceCode: 'old', componentModelCode: 'pump', index: 3 }],
    })
    const uuids = (await storedRecords(domain())).map(({ uuid }) => uuid).sort()
    await applyAll(domain(), endsWith('new'), moving(['services', 'old', 'new']))
    expect(await storedKeys(domain(), 'characteristicServiceLinks')).toEqual(['temperature/new'])
    expect((await storedRecord(domain(), 'serviceComponentModelLinks', 'new/pump')).body).toEqual({
      componentModelCode: 'pump',
      index: 3,
      serviceCode: 'new',
    })
    expect((await storedRecords(domain())).map(({ uuid }) => uuid).sort()).toEqual(uuids)
  })

  test('takes references of users along', async () => {
    await applyAll(domain(), acmeAs('acme'))
    const settings = moving(['organizations', 'acme', 'acme-corp'])
    expect(effects(await plan(domain(), { organizations: acmeAs('acme-corp').organizations }, settings))).toEqual([
      'move organizations/acme → acme-corp',
      'update users/ada@example.org',
    ])
    await applyAll(domain(), acmeAs('acme-corp'), settings)
    expect((await storedRecord(domain(), 'users', 'ada@example.org')).body['organization']).toEqual({
      alias: 'acme-corp',
    })
  })

  test('keeps the secret of a record', async () => {
    const password = 'one-secret-that-is-long-enough-1234'
    await applyAll(domain(), { machineUsers: [{ username: 'old', password }] })
    const document = { machineUsers: [{ username: 'new', password }] }
    const settings = moving(['machineUsers', 'old', 'new'])
    expect(changeOf(await plan(domain(), document, settings), 'machineUsers', 'new').secret).toBe('unchanged')
    await applyAll(domain(), document, settings)
    expect((await plan(domain(), document)).outcome).toBe('no-changes')
  })
})

const pairOf = (characteristic: string, service: string) => ({
  ...characteristics(characteristic),
  services: [{ ...example('services', service), characteristics: [{ code: characteristic }] }],
})

describe('several moves', () => {
  test('make a chain: each record takes the key that the next one leaves', async () => {
    await applyAll(domain(), characteristics('a', 'b'))
    const [a, b] = [await uuidOf('characteristics', 'a'), await uuidOf('characteristics', 'b')]
    const settings = moving(['characteristics', 'a', 'b'], ['characteristics', 'b', 'c'])
    await applyAll(domain(), characteristics('b', 'c'), settings)
    expect([await uuidOf('characteristics', 'b'), await uuidOf('characteristics', 'c')]).toEqual([a, b])
    expect((await plan(domain(), characteristics('b', 'c'), settings)).outcome).toBe('no-changes')
  })

  test('in a ring are refused: nobody could tell whether they are done', async () => {
    await applyAll(domain(), characteristics('a', 'b'))
    const settings = moving(['characteristics', 'a', 'b'], ['characteristics', 'b', 'a'])
    const planned = await plan(domain(), characteristics('a', 'b'), settings)
    expect(planned.outcome).toBe('blocked')
    expect(findings(planned)).toEqual(['impossible-move', 'impossible-move'])
    expect(planned.diagnostics[0]?.message).toContain('ring')
  })

  test('of both ends move a link once', async () => {
    await applyAll(domain(), pairOf('a', 's'))
    const settings = moving(['characteristics', 'a', 'b'], ['services', 's', 't'])
    expect(effects(await plan(domain(), pairOf('b', 't'), settings))).toEqual([
      'move characteristics/a → b',
      'move characteristicServiceLinks/a/s → b/t',
      'move services/s → t',
    ])
    await applyAll(domain(), pairOf('b', 't'), settings)
    expect((await plan(domain(), pairOf('b', 't'), settings)).outcome).toBe('no-changes')
  })
})

const unit = (name: string, directChildren: readonly JsonObject[] = []) => ({ name, directChildren })

const organization = (name: string, ...organizationUnits: readonly JsonObject[]) => ({ name, organizationUnits })

const organizations = (...roots: readonly JsonObject[]) => ({ organizations: roots })

async function moved(before: JsonObject, after: JsonObject, settings: Settings): Promise<string[]> {
  await applyAll(domain(), before)
  const earlier = new Map((await storedRecords(domain())).map(({ uuid, key }) => [uuid, key]))
  await applyAll(domain(), after, settings)
  expect((await plan(domain(), after, settings)).outcome).toBe('no-changes')
  return (await storedRecords(domain())).map(({ uuid, key }) => `${earlier.get(uuid) ?? 'new'} → ${key}`)
}

describe('in a tree', () => {
  test('everything below a node moves with it', async () => {
    const before = organizations(organization('a', unit('x', [unit('y')])))
    const after = organizations(organization('b', unit('x', [unit('y')])))
    expect(await moved(before, after, moving(['organizations', 'a', 'b']))).toEqual([
      'a → b',
      'a/x → b/x',
      'a/x/y → b/x/y',
    ])
  })

  test.each([
    [moving(['organizations', 'a', 'b'], ['organizations', 'a/x', 'b/z'])],
    [moving(['organizations', 'a/x', 'b/z'], ['organizations', 'a', 'b'])],
  ])('a node below a moved one may be renamed too, in any order of the entries', async (settings) => {
    const before = organizations(organization('a', unit('x', [unit('y')])))
    const after = organizations(organization('b', unit('z', [unit('y')])))
    expect(await moved(before, after, settings)).toEqual(['a → b', 'a/x → b/z', 'a/x/y → b/z/y'])
  })

  test('a unit that moves elsewhere is not deleted with its old parent', async () => {
    const before = organizations(organization('a', unit('x', [unit('y')])), organization('b'))
    const after = organizations(organization('b', unit('x', [unit('y')])))
    expect(await moved(before, after, moving(['organizations', 'a/x', 'b/x']))).toEqual([
      'b → b',
      'a/x → b/x',
      'a/x/y → b/x/y',
    ])
  })

  test('a unit may move below one that is created', async () => {
    const before = organizations(organization('a', unit('x')))
    const after = organizations(organization('a', unit('new', [unit('x')])))
    expect(await moved(before, after, moving(['organizations', 'a/x', 'a/new/x']))).toEqual([
      'a → a',
      'new → a/new',
      'a/x → a/new/x',
    ])
  })
})

const linkTo = (characteristic: string) => ({
  ...characteristics(characteristic),
  services: examples('services', ['climate']),
  characteristicServiceLinks: examples('characteristicServiceLinks', [characteristic]),
})

test('a link that moves to another end is not deleted with its old one', async () => {
  await applyAll(domain(), linkTo('old'))
  const uuid = await uuidOf('characteristicServiceLinks', 'old/climate')
  await applyAll(domain(), linkTo('new'), moving(['characteristicServiceLinks', 'old/climate', 'new/climate']))
  expect(await uuidOf('characteristicServiceLinks', 'new/climate')).toBe(uuid)
})
