import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/lib/json.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { applyAll, plan } from '../support/domain.ts'
import { example, examples } from '../support/example-records.ts'
import { codesOf, effects, rowOf, storedKeys, storedRecord } from '../support/plan-parts.ts'
import { oneDomain } from './one-domain.ts'

// Semantics, section 3: links have two spellings and one meaning.

const domain = oneDomain()

/** Each link type in words that fit both: its ends are an owner, in which a list may stand, and a part. */
const LINK_TYPES = [
  {
    links: 'characteristicServiceLinks',
    owners: 'services',
    parts: 'characteristics',
    list: 'characteristics',
    link: (part: string, owner: string): JsonObject => ({ characteristicCode: part, serviceCode: owner }),
    key: (part: string, owner: string) => `${part}/${owner}`,
  },
  {
    links: 'serviceComponentModelLinks',
    owners: 'componentModels',
    parts: 'services',
    list: 'services',
    link: (part: string, owner: string): JsonObject => ({ serviceCode: part, componentModelCode: owner }),
    key: (part: string, owner: string) => `${part}/${owner}`,
  },
] as const

describe.each(LINK_TYPES)('$links', ({ links, owners, parts, list, link, key }) => {
  const allParts = { [parts]: examples(parts, ['a', 'b', 'c']) }
  const owner = (name: string, listed?: readonly string[]): JsonObject => ({
    ...example(owners, name),
    ...(listed !== undefined && { [list]: listed.map((code) => ({ code })) }),
  })
  const embedded = (lists: { readonly [owner: string]: readonly string[] | undefined }) => ({
    ...allParts,
    [owners]: Object.entries(lists).map(([name, listed]) => owner(name, listed)),
  })
  const pairs = (...of: readonly [part: string, owner: string][]) => ({ [links]: of.map(([part, o]) => link(part, o)) })
  const linked = async () => (await storedKeys(domain(), links)).join(' ')

  test('both spellings store the same link, and changing the spelling changes nothing', async () => {
    await applyAll(domain(), embedded({ x: ['a'] }))
    const { body } = await storedRecord(domain(), links, key('a', 'x'))
    const respelled = { ...embedded({ x: undefined }), ...pairs(['a', 'x']) }
    expect((await plan(domain(), respelled)).changes).toEqual([])
    await applyAll(domain(), respelled)
    expect((await storedRecord(domain(), links, key('a', 'x'))).body).toEqual(body)
  })

  test('with the key at the top level the links are the union of both spellings', async () => {
    await applyAll(domain(), { ...embedded({ x: ['a'], y: undefined }), ...pairs(['b', 'x'], ['b', 'y']) })
    expect(await linked()).toBe([key('a', 'x'), key('b', 'x'), key('b', 'y')].join(' '))
  })

  test('the same link in both spellings is one link', async () => {
    await applyAll(domain(), { ...embedded({ x: ['a', 'a'] }), ...pairs(['a', 'x'], ['a', 'x']) })
    expect(await linked()).toBe(key('a', 'x'))
  })

  test('with the key at the top level a link that nobody spells is deleted, whoever its owner is', async () => {
    await applyAll(domain(), { ...embedded({ x: ['a'], y: ['a'] }), ...pairs() })
    const next = { ...embedded({ x: ['a'], y: undefined }), ...pairs() }
    expect(effects(await plan(domain(), next))).toEqual([`delete ${links}/${key('a', 'y')}`])
  })

  test('without it only owners whose list is present are ruled over; the links of others stay', async () => {
    await applyAll(domain(), embedded({ x: ['a', 'b'], y: ['a'] }))
    const next = embedded({ x: ['b', 'c'], y: undefined })
    expect(effects(await plan(domain(), next))).toEqual([
      `delete ${links}/${key('a', 'x')}`,
      `create ${links}/${key('c', 'x')}`,
    ])
    await applyAll(domain(), next)
    expect(await linked()).toBe([key('a', 'y'), key('b', 'x'), key('c', 'x')].join(' '))
    expect((await plan(domain(), next)).outcome).toBe('no-changes')
  })

  test('without it and without lists links are not managed', async () => {
    await applyAll(domain(), embedded({ x: undefined }))
    await createRecord(domain(), links, link('a', 'x'), [])
    const planned = await plan(domain(), embedded({ x: undefined }))
    expect({ state: rowOf(planned, links).state, effects: effects(planned) }).toEqual({
      state: 'unmanaged',
      effects: [],
    })
  })

  test.each([
    ['owner', { ...allParts, [owners]: [] }, owners, 'x'],
    ['part', { ...embedded({ x: undefined }), [parts]: examples(parts, ['b', 'c']) }, parts, 'a'],
  ])('deleting its %s deletes a link that is not managed, and the plan lists it', async (_, next, type, name) => {
    await applyAll(domain(), embedded({ x: undefined }))
    await createRecord(domain(), links, link('a', 'x'), [])
    const { changes } = await plan(domain(), next)
    const deletions = changes.map(({ action, type, key, reason }) => ({ action, type, key, reason }))
    expect(deletions).toContainEqual({
      action: 'delete',
      type: links,
      key: key('a', 'x'),
      reason: `${type}/${name} is deleted`,
    })
    expect(deletions).toHaveLength(2)
    await applyAll(domain(), next)
    expect(await linked()).toBe('')
  })

  test('where both ends are deleted the plan lists the link once', async () => {
    await applyAll(domain(), embedded({ x: ['a'] }))
    expect(
      effects(await plan(domain(), { [parts]: [], [owners]: [] })).filter((effect) => effect.includes(links)),
    ).toEqual([`delete ${links}/${key('a', 'x')}`])
  })

  describe('managed for some owners', () => {
    test('is remembered as partial', async () => {
      await applyAll(domain(), embedded({ x: ['a'], y: undefined }))
      const row = rowOf(await plan(domain(), embedded({ x: ['a'], y: undefined })), links)
      expect(row).toMatchObject({
        state: 'managed',
        previously: 'partial',
        owners: 1,
        desired: 1,
        actual: 1,
        guards: [],
      })
    })

    test('and before that for none: links that would be deleted are taken over', async () => {
      await applyAll(domain(), embedded({ x: undefined }))
      await createRecord(domain(), links, link('a', 'x'), [])
      const planned = await plan(domain(), embedded({ x: [] }))
      expect({ codes: codesOf(rowOf(planned, links)), outcome: planned.outcome }).toEqual({
        codes: ['takes-over'],
        outcome: 'blocked',
      })
    })

    test('then for all: links that would be deleted are taken over', async () => {
      await applyAll(domain(), embedded({ x: ['a'], y: undefined }))
      await createRecord(domain(), links, link('b', 'y'), [])
      const planned = await plan(domain(), { ...embedded({ x: ['a'], y: undefined }), ...pairs() })
      expect(effects(planned)).toEqual([`delete ${links}/${key('b', 'y')}`])
      expect(codesOf(rowOf(planned, links))).toEqual(['takes-over'])
    })

    test('and before that for all: the others leave the scope, and nothing is deleted', async () => {
      await applyAll(domain(), { ...embedded({ x: ['a'], y: ['a'] }), ...pairs() })
      const next = embedded({ x: ['a'], y: undefined })
      const planned = await plan(domain(), next)
      expect(rowOf(planned, links)).toMatchObject({ state: 'released', owners: 1 })
      expect({ codes: codesOf(rowOf(planned, links)), effects: effects(planned) }).toEqual({
        codes: ['leaves-scope'],
        effects: [],
      })
      await applyAll(domain(), next)
      expect(rowOf(await plan(domain(), next), links)).toMatchObject({
        state: 'managed',
        previously: 'partial',
        guards: [],
      })
    })

    test('then for none: the type leaves the scope', async () => {
      await applyAll(domain(), embedded({ x: ['a'] }))
      const planned = await plan(domain(), embedded({ x: undefined }))
      expect(rowOf(planned, links).state).toBe('released')
      expect({ codes: codesOf(rowOf(planned, links)), effects: effects(planned) }).toEqual({
        codes: ['leaves-scope'],
        effects: [],
      })
    })
  })
})

const atTopLevel = (index: number) => ({
  serviceComponentModelLinks: [{ serviceCode: 'a', componentModelCode: 'x', index }],
})

describe('index', () => {
  const ends = { services: examples('services', ['a']), componentModels: examples('componentModels', ['x']) }
  const model = (...services: readonly JsonObject[]) => ({
    ...ends,
    componentModels: [{ ...example('componentModels', 'x'), services }],
  })

  test('is a field of the link, in both spellings', async () => {
    await applyAll(domain(), model({ code: 'a', index: 1 }))
    const { changes } = await plan(domain(), { ...ends, ...atTopLevel(2) })
    expect(changes.map(({ patch }) => patch)).toEqual([[{ op: 'replace', path: '/index', value: 2 }]])
  })

  test('with two values for one link is an error that names both positions', async () => {
    await expect(plan(domain(), { ...model({ code: 'a', index: 1 }), ...atTopLevel(2) })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: [
        {
          code: 'conflicting-link',
          pointer: '/serviceComponentModelLinks/0',
          related: [{ pointer: '/componentModels/0/services/0' }],
        },
      ],
    })
  })

  test('left out in one spelling is what another one says, and 0 if none says it', async () => {
    const indexOf = async (document: JsonObject) => {
      const { changes } = await plan(domain(), document)
      return changes.find(({ type }) => type === 'serviceComponentModelLinks')?.after?.['index']
    }
    const open = { serviceComponentModelLinks: [{ serviceCode: 'a', componentModelCode: 'x' }] }
    expect(await indexOf({ ...model({ code: 'a', index: 2 }), ...open })).toBe(2)
    expect(await indexOf({ ...model({ code: 'a' }), ...atTopLevel(2) })).toBe(2)
    expect(await indexOf(model({ code: 'a' }, { code: 'a', index: 2 }))).toBe(2)
    expect(await indexOf({ ...model({ code: 'a' }), ...open })).toBe(0)
    await expect(
      plan(domain(), { ...model({ code: 'a' }, { code: 'a', index: 2 }), ...atTopLevel(1) }),
    ).rejects.toMatchObject({
      details: [{ pointer: '/serviceComponentModelLinks/0', related: [{ pointer: '/componentModels/0/services/1' }] }],
    })
  })
})
