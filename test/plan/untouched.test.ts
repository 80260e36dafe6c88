import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { recordType } from '../../src/records/registry.ts'
import { DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../src/records/record-type.ts'
import { fieldsOf, storedFields, type Field } from '../../src/records/shape.ts'
import { example } from '../support/example-records.ts'
import { planAgainst } from './plan-against.ts'

// Semantics, section 1, at every depth: a key that is absent leaves the field as it is, unless the specification gives
// it a default; null clears a nullable field; [] empties a list.

/** Another value than nothing and than the default, for every optional field of the specification. */
const FILLED: { readonly [field: string]: Json } = {
  status: 'ARCHIVED',
  description: 'Text',
  symbol: '°C',
  metadataKeyValueStore: [{ key: 'maker', value: { string: 'Acme' } }],
  multiple: true,
  options: [{ key: 'a', label: 'A', meta: [] }],
  schema: { type: 'object' },
  boundaryMin: 1,
  boundaryMax: 9,
  boundaryStep: 2,
  precision: 3,
  isConnective: true,
  eventLevel: 'ERROR',
  message: 'Hot',
  limitToPrototypes: true,
  default: 'x',
  unique: true,
  defaultRedirectUri: 'https://portal.example/',
  redirectUris: ['https://portal.example/'],
  noExplicitConsentRequired: true,
  scopes: ['email'],
  index: 4,
  reference: 'r-1',
  alias: 'acme',
  organization: { alias: 'acme' },
}

/** Section 2 of the specification, written down once more by hand. */
const DEFAULTS: { readonly [type in DocumentTypeName]: JsonObject } = {
  applicationConsumers: { status: 'ACTIVATED' },
  characteristics: { description: null, multiple: false, status: 'ACTIVATED', symbol: null },
  characteristicServiceLinks: {},
  componentModels: { description: null, isConnective: false, status: 'ACTIVATED' },
  dataSources: { description: null, reference: null },
  eventModels: { eventLevel: 'INFO', limitToPrototypes: false, message: null, status: 'ACTIVATED' },
  machineUsers: { status: 'ACTIVATED' },
  metadataTypes: {},
  services: { status: 'ACTIVATED' },
  serviceComponentModelLinks: { index: 0 },
  organizations: { status: 'ACTIVATED' },
  users: { organization: null, status: 'ACTIVATED' },
}

/** The alias of an organization is a part of its identity; `organizations.test.ts` looks at it. */
function optionalFields(type: DocumentTypeName): readonly Field[] {
  return storedFields(recordType(type)).filter(({ name, required }) => !required && name !== 'alias')
}

/** What the records need beside themselves. */
const SURROUNDINGS: { readonly [type in DocumentTypeName]?: JsonObject } = {
  characteristicServiceLinks: {
    characteristics: [example('characteristics', 'it')],
    services: [example('services', 'climate')],
  },
  serviceComponentModelLinks: {
    services: [example('services', 'it')],
    componentModels: [example('componentModels', 'heat-pump')],
  },
  users: { organizations: [{ name: 'Acme', alias: 'acme' }] },
}

function documentOf(type: DocumentTypeName, fields: JsonObject): JsonObject {
  return { ...SURROUNDINGS[type], [type]: [{ ...example(type, 'it'), ...fields }] }
}

async function patchOf(type: DocumentTypeName, live: JsonObject, written: JsonObject) {
  const { changes } = await planAgainst(documentOf(type, live), documentOf(type, written))
  return changes.map(({ type, action, patch }) => ({ type, action, patch }))
}

const updated = (type: DocumentTypeName, patch: JsonObject) => [{ type, action: 'update', patch: [patch] }]

function filled(name: string): Json {
  return name === 'name' ? 'Name' : (FILLED[name] ?? null)
}

function toDefault(type: DocumentTypeName, name: string): JsonObject {
  const value = DEFAULTS[type][name] ?? null
  const path = `/${name}`
  return value === null ? { op: 'remove', path } : { op: 'replace', path, value }
}

describe.each(DOCUMENT_TYPE_NAMES)('%s', (type) => {
  const fields = optionalFields(type)

  test('has exactly the defaults of the specification', () => {
    const given = fieldsOf(recordType(type).definition).filter(({ defaultValue }) => defaultValue !== undefined)
    expect(Object.fromEntries(given.map(({ name, defaultValue }) => [name, defaultValue]))).toEqual(DEFAULTS[type])
  })

  const withDefault = fields.filter(({ name }) => DEFAULTS[type][name] !== undefined)
  const without = fields.filter(({ name }) => DEFAULTS[type][name] === undefined)

  test.each(without)('$name: absent leaves it as it is', async ({ name }) => {
    expect(await patchOf(type, { [name]: filled(name) }, {})).toEqual([])
  })

  test.each(withDefault)('$name: absent sets it to its default', async ({ name }) => {
    expect(await patchOf(type, { [name]: filled(name) }, {})).toEqual(updated(type, toDefault(type, name)))
  })

  test.each(withDefault)('$name: absent and its default written out are the same', async ({ name }) => {
    expect(await patchOf(type, {}, { [name]: DEFAULTS[type][name] ?? null })).toEqual([])
  })

  test.each(fields.filter(({ nullable }) => nullable))('$name: null clears it', async ({ name }) => {
    const cleared = updated(type, { op: 'remove', path: `/${name}` })
    expect(await patchOf(type, { [name]: filled(name) }, { [name]: null })).toEqual(cleared)
  })

  test.each(fields.filter(({ isArray }) => isArray))('$name: an empty list empties it', async ({ name }) => {
    const changes = await patchOf(type, { [name]: filled(name) }, { [name]: [] })
    expect(changes.map(({ action }) => action)).toEqual(['update'])
    expect(await patchOf(type, { [name]: [] }, { [name]: [] })).toEqual([])
  })

  test.each(fields)('$name: a written value is set', async ({ name }) => {
    const changes = await patchOf(type, {}, { [name]: filled(name) })
    expect(changes.map(({ action }) => action)).toEqual(['update'])
  })
})

const selectWith = (option: JsonObject) => ({ dataType: 'SELECT', options: [{ key: 'a', label: 'A', ...option }] })

const pumpWith = (item: JsonObject) => ({
  services: [example('services', 'climate')],
  componentModels: [{ ...example('componentModels', 'pump'), services: [{ code: 'climate', ...item }] }],
})

const serviceWith = (list: JsonObject) => ({
  characteristics: [example('characteristics', 'temperature')],
  services: [{ ...example('services', 'climate'), ...list }],
})

describe('inside of lists and objects', () => {
  test('an option without meta has none', async () => {
    expect(await patchOf('characteristics', selectWith({ meta: [] }), selectWith({}))).toEqual([])
    const meta = [{ key: 'icon', value: 'sun' }]
    expect(await patchOf('characteristics', selectWith({ meta }), selectWith({}))).toHaveLength(1)
  })

  test('a service of a component model without index is at 0', async () => {
    expect((await planAgainst(pumpWith({ index: 0 }), pumpWith({}))).changes).toEqual([])
    const { changes } = await planAgainst(pumpWith({ index: 2 }), pumpWith({}))
    expect(changes.map(({ type, patch }) => ({ type, patch }))).toEqual([
      { type: 'serviceComponentModelLinks', patch: [{ op: 'replace', path: '/index', value: 0 }] },
    ])
  })

  test.each([null, {}, { alias: null }])('organization: %j of a user is no organization', async (organization) => {
    expect(await patchOf('users', {}, { organization })).toEqual([])
    expect(await patchOf('users', { organization: { alias: 'acme' } }, { organization })).toHaveLength(1)
  })

  test('absent embedded lists leave the links of their owner alone, [] removes them', async () => {
    const linked = serviceWith({ characteristics: [{ code: 'temperature' }] })
    expect((await planAgainst(linked, serviceWith({}))).changes).toEqual([])
    const { changes } = await planAgainst(linked, serviceWith({ characteristics: [] }))
    expect(changes.map(({ type, action }) => `${action} ${type}`)).toEqual(['delete characteristicServiceLinks'])
  })
})
