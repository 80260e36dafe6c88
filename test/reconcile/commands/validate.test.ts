import { describe, expect, test } from 'vitest'
import { holdfast } from '../run-command.ts'
import { validate } from './validate-files.ts'

// One run finds everything, in the order of the places, and nothing that only follows from something else.

/** A characteristic in one line. */
const one = (code: string, more = '') =>
  `  - { code: ${code}, name: N, characteristicType: SETTING, dataType: INTEGER${more} }\n`

describe('an error of a file hides no other', () => {
  const faulty = `characteristics:
${one('a', ', boundaryMin: 5, boundaryMax: 1')}${one('b', ', boundaryStep: 0.12345678901234567890')}${one('c', ', symbl: x')}${one('c')}`

  test('in YAML', async () => {
    const { lines } = await validate({ 'models/a.yaml': faulty })
    expect(lines).toEqual([
      'models/a.yaml:2:73 boundaries-crossed',
      'models/a.yaml:3:87 number-not-exact',
      'models/a.yaml:4:73 unknown-key',
      'models/a.yaml:5:5 duplicate-identity',
    ])
  })

  test('in JSON neither', async () => {
    const records = [
      '{"code": "a", "code": "a", "name": "N", "nme": 1}',
      '{"code": "b", "name": 12345678901234567890}',
      '{"code": "c"}',
      '{"code": "d", "name": "D", "characteristics": [{"code": "gone"}]}',
    ]
    const { lines } = await validate({
      'models/a.json': `{"characteristics": [], "services": [\n${records.join(',\n')}\n]}`,
    })
    expect(lines).toEqual([
      'models/a.json:2:15 duplicate-key',
      'models/a.json:2:41 unknown-key',
      'models/a.json:3:23 number-not-exact',
      'models/a.json:4:1 missing-key',
      'models/a.json:5:48 dangling-reference',
    ])
  })

  test('nor in another file: what may be in a file that cannot be read is not missing, all else is', async () => {
    const { lines } = await validate({
      'models/broken.yaml': 'services:\n  - code: heating\n   name: Heating\n',
      'models/links.yaml':
        'characteristics: []\nservices: []\nserviceComponentModelLinks: []\ncomponentModels:\n  - code: x\n    name: X\n    componentType: DEVICE\n    services:\n      - code: heating\n      - code: cooling\n',
    })
    expect(lines).toEqual(['models/broken.yaml:3:4 syntax', 'models/links.yaml:10:9 dangling-reference'])
  })

  test('nor in holdfast.yaml', async () => {
    const { lines } = await validate({
      'models/a.yaml': 'users: []\n',
      'models/holdfast.yaml': 'protect:\n  - { type: user, key: a }\naccess:\n  - { role: viewer, user: a@x.ch }\n',
    })
    expect(lines).toEqual(['models/holdfast.yaml:2:7 not-in-enum', 'models/holdfast.yaml:4:21 dangling-reference'])
  })

  test('what stands for a value that could not be read is not called wrong', async () => {
    const { lines } = await validate({
      'models/a.yaml': `characteristics:\n  - code: *unknown\n    name: .nan\n    characteristicType: !mine SETTING\n    dataType: \${env:MISSING}\n  - *unknown\nservices: *unknown\n`,
    })
    expect(lines.map((line) => line.replace('models/a.yaml:', ''))).toEqual([
      '2:11 unknown-alias',
      '3:11 number-not-finite',
      '4:25 unsupported-tag',
      '5:5 unresolved-reference',
      '6:5 unknown-alias',
      '7:11 unknown-alias',
    ])
  })
})

const services = (lines: string) => ({
  'models/a.yaml': `characteristics:\n${one('there')}services:\n${lines}componentModels:\n  - { code: m, name: M, componentType: DEVICE, services: [{ code: heating }, { code: cooling }] }\n`,
})

describe('a record of a wrong shape', () => {
  test('is there for those who refer to it, is found twice, and its own references are looked at', async () => {
    const { lines } = await validate(
      services(
        '  - { code: heating, nam: Heating, characteristics: [{ cod: there }, { code: gone }, { code: there, x: 1 }] }\n  - { code: heating, name: Again, status: ON }\n  - { code: cooling, name: 5 }\n',
      ),
    )
    expect(lines.map((line) => line.replace('models/a.yaml:', ''))).toEqual([
      '4:22 unknown-key',
      '4:56 unknown-key',
      '4:70 dangling-reference',
      '4:101 unknown-key',
      '5:5 duplicate-identity',
      '5:35 not-in-enum',
      '6:22 wrong-type',
    ])
  })

  test('without a key that can be told still has references', async () => {
    const { lines } = await validate(
      services('  - { cod: heating, name: H, characteristics: [{ code: gone }] }\n  - { code: cooling, name: C }\n'),
    )
    expect(lines.map((line) => line.replace('models/a.yaml:', ''))).toEqual([
      '4:7 unknown-key',
      '4:48 dangling-reference',
    ])
  })

  test('gets the other checks, as far as they do not need what is wrong', async () => {
    const { lines } = await validate({
      'models/a.yaml': `characteristics:\n${one('a', ', boundaryMin: 5, boundaryMax: 1, colour: red')}  - { code: s, name: S, characteristicType: SETTING, dataType: SELECT, options: [{ key: a }] }\n`,
    })
    expect(lines.map((line) => line.replace('models/a.yaml:', ''))).toEqual([
      '2:73 boundaries-crossed',
      '2:105 unknown-key',
      '3:82 missing-key',
    ])
  })
})

describe('a value of a wrong type hides no other mistake of its record', () => {
  const twice = 'metadataKeyValueStore: [{ key: a, value: 1 }, { key: a, value: 2 }]'

  test.each<[what: string, file: string, found: readonly string[]]>([
    [
      'of a characteristic',
      `characteristics:\n  - { code: a, name: 5, characteristicType: SETTING, dataType: INTEGER, boundaryMin: 5, boundaryMax: 1, ${twice} }\n`,
      ['2:16 wrong-type', '2:73 boundaries-crossed', '2:153 duplicate-metadata-key'],
    ],
    [
      'of an application',
      'applicationConsumers:\n  - { slug: "a b", name: 5, grantTypes: [PASSWORD], secret: "${generated}", redirectUris: ["https://a.example/#b"] }\n',
      ['2:7 slug-characters', '2:20 wrong-type', '2:92 redirect-uri'],
    ],
    [
      'of a metadata type without a key that can be told',
      'metadataTypes:\n  - { entityType: SYSTEM, key: 5, dataType: FLOAT, unique: true }\n',
      ['2:27 wrong-type', '2:52 unique-unsupported'],
    ],
    [
      'of an organization whose alias is its key, and of its units',
      `organizations:\n  - { name: 5, alias: o, ${twice}, organizationUnits: [{ name: u }, { name: u }] }\n`,
      ['2:7 wrong-type', '2:74 duplicate-metadata-key', '2:128 duplicate-identity'],
    ],
    [
      'of an organization without a key that can be told, and of its units',
      `organizations:\n  - { name: 5, ${twice}, organizationUnits: [{ name: u, ${twice} }] }\n`,
      ['2:7 wrong-type', '2:64 duplicate-metadata-key', '2:164 duplicate-metadata-key'],
    ],
  ])('%s', async (_, file, found) => {
    const { lines } = await validate({ 'models/a.yaml': file })
    expect(lines.map((line) => line.replace('models/a.yaml:', ''))).toEqual(found)
  })
})

const places = (shown: string) => [...shown.matchAll(/models\/\w\.yaml:\d+:\d+/g)].map(String)

test('the order is that of the places, in every form', async () => {
  const { lines, text, cwd } = await validate({
    'models/b.yaml': 'services:\n  - { code: s, name: S, colour: red }\ncharacteristics:\n  - { code: a, nam: A }\n',
    'models/a.yaml': 'users:\n  - { email: a@x.ch, nme: A }\n',
  })
  expect(lines).toEqual([
    'models/a.yaml:2:22 unknown-key',
    'models/b.yaml:2:25 unknown-key',
    'models/b.yaml:4:5 missing-key',
    'models/b.yaml:4:5 missing-key',
    'models/b.yaml:4:16 unknown-key',
  ])
  expect(places(text)).toEqual(lines.map((line) => line.split(' ')[0]))
  expect(places((await holdfast('validate --format markdown', { cwd })).stdout)).toEqual(places(text))
})

test('keys that look the same and are not are warnings', async () => {
  const keys = ['caf\u00e9', 'cafe\u0301', 'a\u200bb', 'a\u202eb', 'ordinary', 'zürich', '温度']
  const services = keys.map((code) => ({ code, name: 'N' }))
  const { diagnostics } = await validate({ 'models/a.json': JSON.stringify({ services }) })
  expect(diagnostics.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`)).toEqual([
    'warning key-not-composed /services/1/code',
    'warning unseen-character /services/2/code',
    'warning unseen-character /services/3/code',
  ])
})

const versioned = (value: string) => `services:
  - { code: s, name: S, metadataKeyValueStore: [{ key: version, value: ${value} }] }
`
const types = (dataType: string) => `metadataTypes: [{ key: version, entityType: SERVICE, dataType: ${dataType} }]\n`

describe('a number as metadata that is not kept as it is written', () => {
  test.each([
    ['007', '7', 'integer'],
    ['1.10', '1.1', 'float'],
    ['1.0', '1', 'integer'],
    ['0o17', '15', 'integer'],
    ['1e3', '1000', 'integer'],
  ])('%s is a warning that says what is kept', async (literal, kept, tag) => {
    const { diagnostics } = await validate({ 'models/a.yaml': versioned(literal) })
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'metadata-rewritten', line: 2, column: 72 }])
    expect(diagnostics[0]?.message).toBe(
      `metadata "version" is kept as the number ${kept}; put it in quotes to keep ${literal}, or write { ${tag}: ${kept} } if you mean the number.`,
    )
  })

  test('in JSON and in a unit of an organization too', async () => {
    const store = '"metadataKeyValueStore": [{"key": "k", "value": 1.0}]'
    const units = `{"organizations": [{"name": "A", "organizationUnits": [{"name": "B", ${store}}]}]}`
    const typed = `{"metadataTypes": [{"key": "k", "entityType": "ORGANIZATION_UNIT", "dataType": "FLOAT"}]}`
    expect((await validate({ 'models/a.json': units })).lines).toEqual(['models/a.json:1:118 metadata-rewritten'])
    expect((await validate({ 'models/a.json': units, 'models/b.json': typed })).lines).toEqual([])
  })

  test('is none where a MetadataType wants a number, where it is said, or where nothing is lost', async () => {
    const values = ['7', '1.5', '-3', '"007"', '{ float: 1.10 }']
    for (const value of values) expect((await validate({ 'models/a.yaml': versioned(value) })).lines).toEqual([])
    expect((await validate({ 'models/a.yaml': types('FLOAT') + versioned('1.10') })).lines).toEqual([])
    expect((await validate({ 'models/a.yaml': types('STRING') + versioned('1.10') })).lines).toEqual([
      'models/a.yaml:3:65 metadata-value',
    ])
  })
})
