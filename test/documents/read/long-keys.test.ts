import { expect, it } from 'vitest'
import { readDocument } from '../../../src/documents/read/read-document.ts'

const LONG = 'a'.repeat(501)

it.each<[string, object, string]>([
  ['a tree', { organizations: [{ name: LONG, organizationUnits: [{ name: 'b' }] }] }, '/organizations/0/name'],
  [
    'links',
    {
      characteristics: [{ code: 'b', name: 'B', characteristicType: 'SETTING', dataType: 'STRING' }],
      services: [{ code: LONG, name: 'A', characteristics: [{ code: 'b' }] }],
    },
    '/services/0/code',
  ],
  [
    'a node of a tree',
    { organizations: [{ name: 'o', organizationUnits: [{ name: LONG, directChildren: [{ name: 'b' }] }] }] },
    '/organizations/0/organizationUnits/0/name',
  ],
])('repeats no key that is too long in the keys of %s below it', (_, document, pointer) => {
  const { snapshot, diagnostics } = readDocument(document)
  const keys = [...snapshot.values()].flatMap(({ records }) => [...records.keys()])
  expect(keys.filter((key) => key.length > 500)).toStrictEqual([])
  expect(diagnostics.map(({ code, pointer }) => ({ code, pointer }))).toStrictEqual([{ code: 'key-too-long', pointer }])
})
