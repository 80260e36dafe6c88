import { describe, expect, test } from 'vitest'
import { validate } from './validate-files.ts'

test('a merge key is named, and what only seems to be missing beside it is not', async () => {
  const { lines, diagnostics } = await validate({
    'models/a.yaml': `services:
  - &base { code: s, name: S, status: ACTIVATED }
  - <<: *base
    code: t
  - { <<: *base, cod: u }
  - { code: v, name: V, "<<": 1 }
componentModels:
  - { code: m, name: M, componentType: DEVICE, services: [{ code: t }, { code: u }] }
`,
  })
  expect(lines).toEqual([
    'models/a.yaml:3:5 merge-key',
    'models/a.yaml:5:7 merge-key',
    'models/a.yaml:6:25 unknown-key',
  ])
  expect(diagnostics[0]?.message).toContain('write the keys out here')
})

const models = (key: string, ...codes: readonly string[]) => `services:
  - { ${key}, name: H }
  - { code: cooling, name: C }
componentModels:
  - { code: m, name: M, componentType: DEVICE, services: [${codes.map((code) => `{ code: ${code} }`).join(', ')}] }
`

describe('a record that has', () => {
  test.each([
    ['an empty key', 'code: ""', 'models/a.yaml:2:7 too-short'],
    ['a key of another type', 'code: { a: b }', 'models/a.yaml:2:7 wrong-type'],
    ['no key', 'description: D', 'models/a.yaml:2:5 missing-key'],
  ])('%s is what a reference to nothing may mean', async (_, key, found) => {
    const linesOf = async (...codes: readonly string[]) =>
      (await validate({ 'models/a.yaml': models(key, ...codes) })).lines
    expect(await linesOf('heating', 'cooling')).toEqual([found])
    // Two keys cannot both be that of one record.
    expect(await linesOf('heating', 'cooling', 'gone')).toEqual([
      found,
      'models/a.yaml:5:59 dangling-reference',
      'models/a.yaml:5:97 dangling-reference',
    ])
  })
})

test('a metadata type that is given twice says nothing about values', async () => {
  const types =
    'metadataTypes:\n  - { key: k, entityType: SERVICE, dataType: INTEGER, unique: true }\n  - { key: k, entityType: SERVICE, dataType: BOOLEAN }\n'
  const holders = ['a', 'b'].map(
    (code) => `  - { code: ${code}, name: N, metadataKeyValueStore: [{ key: k, value: x }] }\n`,
  )
  const { lines } = await validate({ 'models/a.yaml': `${types}services:\n${holders.join('')}` })
  expect(lines).toEqual(['models/a.yaml:3:5 duplicate-identity'])
})

const holder = (code: string, items: readonly (readonly [key: string, value: string])[]) =>
  `  - code: ${code}\n    name: N\n    metadataKeyValueStore:\n` +
  items.map(([key, value]) => `      - key: ${key}\n        value: ${value}\n`).join('')

describe('a finding about metadata points to the item, not to the list', () => {
  test('whatever the order of the keys, and names both of two places', async () => {
    const { lines, diagnostics } = await validate({
      'models/types.yaml':
        'metadataTypes:\n  - { key: rank, entityType: SERVICE, dataType: INTEGER }\n  - { key: serial, entityType: SERVICE, dataType: STRING, unique: true }\n',
      'models/a.yaml': `services:\n${holder('s', [
        ['z', '1'],
        ['serial', 'x'],
        ['rank', '5.5'],
        ['z', '2'],
        ['a', '3'],
        ['z', '4'],
      ])}${holder('t', [
        ['y', '1'],
        ['serial', 'x'],
      ])}`,
    })
    expect(lines).toEqual([
      'models/a.yaml:10:9 metadata-value',
      'models/a.yaml:11:9 duplicate-metadata-key',
      'models/a.yaml:15:9 duplicate-metadata-key',
      'models/a.yaml:23:9 metadata-not-unique',
    ])
    expect(diagnostics.map(({ related = [] }) => related.map(({ line }) => line))).toEqual([[], [5], [5], [8]])
  })
})
