import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLE_SETTINGS } from '../../src/reconcile/init/example-models.ts'
import { openEditor, type Editor } from '../support/language-server.ts'

// What somebody sees who writes models in an editor with the YAML language server.

const ROOT = new URL('../../', import.meta.url)
const MODELS = new URL('models/rooms.yaml', ROOT).pathname
const HEAD = '# yaml-language-server: $schema=../schemas/import-document.schema.json\n'
const SETTINGS_HEAD = '# yaml-language-server: $schema=../schemas/settings.schema.json\n'

interface Schema {
  readonly default?: unknown
  readonly type?: string | readonly string[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly $defs?: { readonly [name: string]: Schema }
}

function schema(name: string): Schema {
  return JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, ROOT), 'utf8')) as Schema
}

let editor: Editor
beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor.close())

describe('an editor completes', () => {
  it.each([
    ['import-document', HEAD, 13],
    ['settings', SETTINGS_HEAD, 4],
  ])('every top-level key of %s', async (name, head, atLeast) => {
    const keys = Object.keys(schema(name).properties ?? {})
    expect(keys.length).toBeGreaterThanOrEqual(atLeast)
    expect((await editor.completions(MODELS, `${head}|`)).toSorted()).toEqual(keys.toSorted())
  })

  it('every field of a record, those that are there already left out', async () => {
    const fields = Object.keys(schema('import-document').$defs?.['Characteristic']?.properties ?? {})
    const text = `${HEAD}characteristics:\n  - code: temperature\n    name: Temperature\n    |\n`
    const found = await editor.completions(MODELS, text)
    expect(fields.filter((field) => !['code', 'name'].includes(field) && !found.includes(field))).toEqual([])
  })

  it('the values of a closed set', async () => {
    const text = `${HEAD}characteristics:\n  - code: temperature\n    dataType: |\n`
    expect(await editor.completions(MODELS, text)).toEqual(expect.arrayContaining(['FLOAT', 'INTEGER', 'SELECT']))
  })

  it('the keys of a typed metadata value', async () => {
    const text = `${HEAD}services:\n  - code: heating\n    metadataKeyValueStore:\n      - key: floor\n        value:\n          |\n`
    expect(await editor.completions(MODELS, text)).toEqual(
      Object.keys(schema('import-document').$defs?.['TypedMetadataValue']?.properties ?? {}),
    )
  })

  it('only where no text has null as its default: there the server drops all that follows', () => {
    const named = ['import-document', 'settings'].flatMap((name) => Object.entries(schema(name).$defs ?? {}))
    const stopping = named.flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => field.default === null && [field.type].flat()[0] === 'string')
        .map(([field]) => `${name}.${field}: begin its type with null`),
    )
    expect(stopping).toEqual([])
  })
})

it('an editor explains keys, fields and settings', async () => {
  const record = 'characteristics:\n  - code: temperature\n    data|Type: FLOAT\n'
  expect(await editor.hover(MODELS, `${HEAD}ser|vices: []\n`)).toContain('Groups of characteristics')
  expect(await editor.hover(MODELS, HEAD + record)).toContain('kind of value')
  expect(await editor.hover(MODELS, `${SETTINGS_HEAD}pro|tect: []\n`)).toContain('delete')
})

it('an editor finds what is wrong, where it stands, and nothing in what is right', async () => {
  const text = `${HEAD}characteristics:
  - code: temperature
    name: Temperature
    characteristicType: MEASUREMENT
    dataType: FLOTE
    precison: 1
  - code: 7
    name: Valve
services:
  - name: Climate
    characteristics: room-temperature
rooms: []
`
  const found = (await editor.diagnostics(MODELS, text)).map(({ message, range }) => `${range.start.line}: ${message}`)
  expect(found).toEqual([
    expect.stringMatching(/^5: Value is not accepted\. Valid values: "BLOB", "BOOLEAN", /),
    '6: Property precison is not allowed.',
    '7: Missing property "characteristicType".',
    '7: Missing property "dataType".',
    '7: Incorrect type. Expected "string".',
    '10: Missing property "code".',
    '11: Incorrect type. Expected "array".',
    '12: Property rooms is not allowed.',
  ])
  expect(await editor.diagnostics(MODELS, readFileSync(MODELS, 'utf8'))).toEqual([])
  expect(await editor.diagnostics(MODELS, EXAMPLE_SETTINGS)).toEqual([])
})
