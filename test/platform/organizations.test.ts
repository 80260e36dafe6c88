import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { createRecord, deleteRecord } from '../../src/platform/records/change-record.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { countCalls } from '../support/count-calls.ts'
import { applyAll, plan } from '../support/domain.ts'
import { changeOf, codesOf, effects, rowOf, storedKeys, storedRecord } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

const domain = oneDomain()

const unit = (name: string, directChildren?: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  name,
  ...fields,
  ...(directChildren !== undefined && { directChildren }),
})
const organization = (
  name: string,
  organizationUnits?: readonly JsonObject[],
  fields: JsonObject = {},
): JsonObject => ({
  name,
  ...fields,
  ...(organizationUnits !== undefined && { organizationUnits }),
})
const organizations = (...roots: readonly JsonObject[]) => ({ organizations: roots })
const manyUnits = (of: string) => Array.from({ length: 300 }, (_, index) => unit(`${of}${index}`))
const keys = () => storedKeys(domain(), 'organizations')

describe('the key', () => {
  test('of a unit is the path down to it', async () => {
    await applyAll(domain(), organizations(organization('a', [unit('b', [unit('c', [unit('d')])])])))
    expect(await keys()).toEqual(['a', 'a/b', 'a/b/c', 'a/b/c/d'])
  })

  test('is the alias where there is one, else the name, at each level', async () => {
    const tree = organization('A', [unit('B', [unit('C', [], { alias: 'c' })], { alias: null })], { alias: 'a' })
    await applyAll(domain(), organizations(tree))
    expect(await keys()).toEqual(['a', 'a/B', 'a/B/c'])
  })

  test('escapes / and ~ in names, so that no two paths are spelled alike', async () => {
    const document = organizations(organization('a/b', [unit('c~d')]), organization('a', [unit('b', [unit('c~d')])]))
    await applyAll(domain(), document)
    expect(await keys()).toEqual(['a', 'a/b', 'a/b/c~0d', 'a~1b', 'a~1b/c~0d'])
    expect((await plan(domain(), document)).outcome).toBe('no-changes')
    expect((await plan(domain(), await exportDocument(domain(), null))).changes).toEqual([])
  })

  test('may have the same name under different parents, and at different depths', async () => {
    await applyAll(domain(), organizations(organization('a', [unit('a', [unit('a')])]), organization('b', [unit('a')])))
    expect(await keys()).toEqual(['a', 'a/a', 'a/a/a', 'b', 'b/a'])
  })

  test('twice below one parent is an error that names both positions', async () => {
    await expect(
      plan(domain(), organizations(organization('a', [unit('x'), unit('X', [], { alias: 'x' })]))),
    ).rejects.toMatchObject({
      details: [
        {
          code: 'duplicate-identity',
          pointer: '/organizations/0/organizationUnits/1',
          related: [{ pointer: '/organizations/0/organizationUnits/0' }],
        },
      ],
    })
  })

  test('does not change with the name of a record that has an alias', async () => {
    await applyAll(domain(), organizations(organization('Old', [], { alias: 'a' })))
    expect(effects(await plan(domain(), organizations(organization('New', [], { alias: 'a' }))))).toEqual([
      'update organizations/a',
    ])
  })
})

describe('a list of children', () => {
  const full = organizations(organization('a', [unit('b', [unit('c', [unit('d')])])]))

  test.each([
    ['at the root', organization('a')],
    ['at depth 1', organization('a', [unit('b')])],
    ['at depth 2', organization('a', [unit('b', [unit('c')])])],
  ])('that is absent %s leaves what is below as it is', async (_, root) => {
    await applyAll(domain(), full)
    expect((await plan(domain(), organizations(root))).changes).toEqual([])
  })

  test.each([
    ['at the root', organization('a', []), ['a/b', 'a/b/c', 'a/b/c/d']],
    ['at depth 1', organization('a', [unit('b', [])]), ['a/b/c', 'a/b/c/d']],
    ['at depth 2', organization('a', [unit('b', [unit('c', [])])]), ['a/b/c/d']],
  ])('that is empty %s deletes what is below', async (_, root, deleted) => {
    await applyAll(domain(), full)
    expect(effects(await plan(domain(), organizations(root)))).toEqual(
      deleted.map((key) => `delete organizations/${key}`),
    )
    await applyAll(domain(), organizations(root))
    expect((await plan(domain(), organizations(root))).outcome).toBe('no-changes')
  })

  test('that names other children deletes the missing ones with all that is below them', async () => {
    await applyAll(domain(), full)
    expect(effects(await plan(domain(), organizations(organization('a', [unit('x')]))))).toEqual([
      'delete organizations/a/b',
      'delete organizations/a/b/c',
      'delete organizations/a/b/c/d',
      'create organizations/a/x',
    ])
  })
})

const userIn = (organization: JsonObject | null) => ({ users: [{ email: 'ada@example.org', organization }] })

describe('deleting', () => {
  test('an organization deletes its units, also those that the document never knew', async () => {
    await applyAll(domain(), organizations(organization('a', [unit('b')]), organization('z')))
    const next = organizations(organization('z'))
    expect(effects(await plan(domain(), next))).toEqual(['delete organizations/a', 'delete organizations/a/b'])
    await applyAll(domain(), next)
    expect(await keys()).toEqual(['z'])
  })

  test('one by a mutation takes its units along', async () => {
    await applyAll(domain(), organizations(organization('a', [unit('b', [unit('c')]), unit('bc')])))
    await deleteRecord(domain(), 'organizations', 'a/b', [])
    expect(await keys()).toEqual(['a', 'a/bc'])
  })

  test('many units at once is a mass delete', async () => {
    const units = Array.from({ length: 9 }, (_, index) => unit(`u${index}`))
    await applyAll(domain(), organizations(organization('a', units)))
    expect(codesOf(rowOf(await plan(domain(), organizations(organization('a', []))), 'organizations'))).toEqual([
      'mass-delete',
    ])
  })

  test('an organization that a user stays in is an error', async () => {
    const users = [{ email: 'ada@example.org', organization: { alias: 'acme' } }]
    await applyAll(domain(), { ...organizations(organization('Acme', [], { alias: 'acme' })), users })
    const planned = await plan(domain(), organizations(organization('Other')))
    expect(planned.outcome).toBe('blocked')
    expect(planned.diagnostics.map(({ code }) => code)).toContain('still-referenced')
    expect(changeOf(planned, 'organizations', 'acme').referrers).toEqual([{ type: 'users', key: 'ada@example.org' }])
  })

  test('an organization that its user leaves in the same plan says how many users belong to it', async () => {
    const acme = organizations(organization('Acme', [], { alias: 'acme' }))
    await applyAll(domain(), { ...acme, ...userIn({ alias: 'acme' }) })
    const change = changeOf(
      await plan(domain(), { ...organizations(organization('Other')), ...userIn(null) }),
      'organizations',
      'acme',
    )
    expect({ impact: change.impact, codes: codesOf(change) }).toEqual({ impact: { users: 1 }, codes: ['deletes-data'] })
  })
})

test('a unit is an update of its own', async () => {
  await applyAll(domain(), organizations(organization('a', [unit('b', [])])))
  const { changes } = await plan(domain(), organizations(organization('a', [unit('b', [], { status: 'ARCHIVED' })])))
  expect(changes.map(({ key, patch }) => ({ key, patch }))).toEqual([
    { key: 'a/b', patch: [{ op: 'replace', path: '/status', value: 'ARCHIVED' }] },
  ])
})

test('a unit keeps its metadata where the document leaves them out', async () => {
  const metadataKeyValueStore = [{ key: 'floor', value: 2 }]
  await applyAll(domain(), organizations(organization('a', [unit('b', [], { metadataKeyValueStore })])))
  await applyAll(domain(), organizations(organization('a', [unit('b', [], { status: 'ARCHIVED' })])))
  expect((await storedRecord(domain(), 'organizations', 'a/b')).body).toEqual({
    metadataKeyValueStore: [{ key: 'floor', value: { integer: 2 } }],
    name: 'b',
    status: 'ARCHIVED',
  })
})

test('a new organization is not compared with each unit of the others', async () => {
  await applyAll(domain(), organizations(organization('a', manyUnits('a'))))
  const compared = await countCalls(String.prototype, 'startsWith', () =>
    createRecord(domain(), 'organizations', organization('b', manyUnits('b')), []),
  )
  expect(compared).toBeLessThan(30_000)
})
