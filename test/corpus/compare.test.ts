import { expect, test } from 'vitest'
import { compareDocuments } from './compare.ts'

test('counts created, changed, deleted and unchanged records', () => {
  const before = { dataSources: [{ code: 'a' }, { code: 'b', name: 'B' }, { code: 'c' }] }
  const after = { dataSources: [{ code: 'c' }, { code: 'b', name: 'Bee' }, { code: 'd' }] }
  expect(compareDocuments(before, after)['dataSources']).toEqual({ create: 1, update: 1, delete: 1, unchanged: 1 })
})

test('a default that is written out, the order of metadata and a tag are no change', () => {
  const metadata = [
    { key: 'a', value: 1 },
    { key: 'b', value: 'x' },
  ]
  const before = { services: [{ code: 's', name: 'S', metadataKeyValueStore: metadata }] }
  const after = {
    services: [
      {
        code: 's',
        name: 'S',
        status: 'ACTIVATED',
        metadataKeyValueStore: [
          { key: 'b', value: { string: 'x' } },
          { key: 'a', value: { integer: 1 } },
        ],
      },
    ],
  }
  expect(compareDocuments(before, after)['services']).toEqual({ create: 0, update: 0, delete: 0, unchanged: 1 })
})

test('an absent key is left alone, unless it has a default', () => {
  const before = {
    characteristics: [
      { code: 'c', precision: 2 },
      { code: 'd', description: 'old' },
    ],
  }
  const after = { characteristics: [{ code: 'c' }, { code: 'd' }] }
  expect(compareDocuments(before, after)['characteristics']).toEqual({ create: 0, update: 1, delete: 0, unchanged: 1 })
})

test('null clears a key', () => {
  const before = { characteristics: [{ code: 'c', precision: 2 }] }
  const after = { characteristics: [{ code: 'c', precision: null }] }
  expect(compareDocuments(before, after)['characteristics']?.update).toBe(1)
})

test('null where nothing was set is no change', () => {
  const after = { characteristics: [{ code: 'c', precision: null }] }
  expect(compareDocuments({ characteristics: [{ code: 'c' }] }, after)['characteristics']?.unchanged).toBe(1)
})

test('an absent type is neither changed nor deleted', () => {
  const counts = compareDocuments({ dataSources: [{ code: 'a' }] }, {})
  expect(counts['dataSources']).toEqual({ create: 0, update: 0, delete: 0, unchanged: 0 })
})

test('a link is the same link in both spellings', () => {
  const before = { services: [{ code: 's', characteristics: [{ code: 'c' }, { code: 'd' }] }] }
  const after = {
    services: [{ code: 's' }],
    characteristicServiceLinks: [
      { characteristicCode: 'c', serviceCode: 's' },
      { characteristicCode: 'e', serviceCode: 's' },
    ],
  }
  const counts = compareDocuments(before, after)
  expect(counts['characteristicServiceLinks']).toEqual({ create: 1, update: 0, delete: 1, unchanged: 1 })
  expect(counts['services']).toEqual({ create: 0, update: 0, delete: 0, unchanged: 1 })
})

test('without the top-level key only the links of an owner with a list of its own are managed', () => {
  const before = {
    serviceComponentModelLinks: [
      { serviceCode: 's', componentModelCode: 'listed', index: 1 },
      { serviceCode: 's', componentModelCode: 'silent' },
      { serviceCode: 's', componentModelCode: 'gone' },
    ],
    componentModels: [{ code: 'listed' }, { code: 'silent' }, { code: 'gone' }],
  }
  const after = { componentModels: [{ code: 'listed', services: [{ code: 's', index: 2 }] }, { code: 'silent' }] }
  const counts = compareDocuments(before, after)
  expect(counts['serviceComponentModelLinks']).toEqual({ create: 0, update: 1, delete: 1, unchanged: 0 })
})
