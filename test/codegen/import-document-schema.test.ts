import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { records } from '../../generated/validators.cjs'
import { IMPORT_DOCUMENT_SCHEMA, listedDefinitions } from '../../src/codegen/schemas.ts'
import { referenceName, type JsonSchema } from '../../src/records/json-schema.ts'
import { DOCUMENT_TYPE_NAMES } from '../../src/records/record-type.ts'

// The tables of section 2 of the interface specification, a line a field:
// `name!` is required, `= …` is the default, and what is no type of JSON is a definition or a format.

const SPECIFICATION: { readonly [definition: string]: readonly string[] } = {
  ApplicationConsumer: [
    'name!: string',
    'slug!: string',
    'secret!: string',
    'grantTypes!: array of GrantType',
    'status: Status = "ACTIVATED"',
    'defaultRedirectUri: string(uri) | null',
    'redirectUris: array of string(uri) | null',
    'noExplicitConsentRequired: boolean',
    'scopes: array of string',
  ],
  Characteristic: [
    'code!: string',
    'name!: string',
    'description: string | null = null',
    'status: Status = "ACTIVATED"',
    'characteristicType!: CharacteristicType',
    'dataType!: DataType',
    'symbol: string | null = null',
    'metadataKeyValueStore: array of MetadataItem',
    'multiple: boolean = false',
    'options: array of CharacteristicOption',
    'schema: object | string | null',
    'boundaryMin: string | number | null',
    'boundaryMax: string | number | null',
    'boundaryStep: number | null',
    'precision: integer | null',
  ],
  CharacteristicOption: ['key!: string', 'label!: string', 'meta: array of CharacteristicOptionMeta = []'],
  CharacteristicOptionMeta: ['key!: string', 'value!: string'],
  CharacteristicServiceLink: ['characteristicCode!: string', 'serviceCode!: string'],
  ComponentModel: [
    'code!: string',
    'name!: string',
    'description: string | null = null',
    'componentType!: ComponentType',
    'status: Status = "ACTIVATED"',
    'isConnective: boolean = false',
    'metadataKeyValueStore: array of MetadataItem',
    'services: array of ComponentModelService',
  ],
  ComponentModelService: ['code!: string', 'index: integer = 0'],
  DataSource: ['code!: string', 'name: string', 'description: string | null = null', 'reference: string | null = null'],
  EventModel: [
    'code!: string',
    'eventType!: EventType',
    'entityType!: EventEntityType',
    'eventLevel: EventLevel = "INFO"',
    'message: string | null = null',
    'metadataKeyValueStore: array of MetadataItem',
    'status: Status = "ACTIVATED"',
    'limitToPrototypes: boolean = false',
  ],
  MachineUser: ['username!: string', 'password!: string', 'status: Status = "ACTIVATED"'],
  MetadataType: [
    'key!: string',
    'description: string | null',
    'entityType!: MetadataEntityType',
    'dataType!: MetadataDataType',
    'default: string | number | boolean | null',
    'unique: boolean',
  ],
  Service: [
    'code!: string',
    'name!: string',
    'description: string',
    'status: Status = "ACTIVATED"',
    'metadataKeyValueStore: array of MetadataItem',
    'characteristics: array of ServiceCharacteristic',
  ],
  ServiceCharacteristic: ['code!: string'],
  ServiceComponentModelLink: ['serviceCode!: string', 'componentModelCode!: string', 'index: integer = 0'],
  Organization: [
    'name!: string',
    'alias: string | null',
    'status: Status = "ACTIVATED"',
    'metadataKeyValueStore: array of MetadataItem',
    'organizationUnits: array of OrganizationUnit',
  ],
  OrganizationUnit: [
    'name!: string',
    'alias: string | null',
    'metadataKeyValueStore: array of MetadataItem',
    'status: Status = "ACTIVATED"',
    'directChildren: array of OrganizationUnit',
  ],
  User: [
    'email!: string(email)',
    'name: string | null',
    'status: Status = "ACTIVATED"',
    'metadataKeyValueStore: array of MetadataItem',
    'organization: UserOrganization | null = null',
  ],
  UserOrganization: ['alias: string | null'],
  MetadataItem: ['key!: string', 'value!: string | number | boolean | null | TypedMetadataValue'],
  TypedMetadataValue: [
    'string: string',
    'float: number',
    // More than the specification has: beyond 2^53 its decimal string, since JSON readers round such numbers.
    'integer: integer | string',
    'boolean: boolean',
    'timestamp: string(date-time)',
    'uuid: string(uuid)',
  ],
}

const ENUMS: { readonly [definition: string]: string } = {
  Status: 'ACTIVATED DEACTIVATED ARCHIVED',
  GrantType: 'AUTHORIZATION_CODE PASSWORD REFRESH_TOKEN',
  CharacteristicType: 'MEASUREMENT SETTING',
  DataType: 'BLOB BOOLEAN DATE FLOAT INTEGER JSON SELECT STRING TIME TIMESPAN TIMESTAMP',
  ComponentType: 'DEVICE GATEWAY VIRTUAL',
  EventType: 'RANGED SINGLE_POINT',
  EventEntityType: 'COMPONENT SYSTEM',
  EventLevel: 'ERROR INFO SUCCESS WARNING',
  MetadataEntityType:
    'CHARACTERISTIC COMPONENT COMPONENT_MODEL EVENT EVENT_MODEL ORGANIZATION ORGANIZATION_UNIT SERVICE SYSTEM USER',
  MetadataDataType: 'BOOLEAN FLOAT INTEGER STRING TIMESTAMP UUID',
}

const DEFINITIONS = IMPORT_DOCUMENT_SCHEMA.$defs ?? {}
const FIELDS = Object.entries(DEFINITIONS).flatMap(([definition, { properties = {}, required = [] }]) =>
  Object.entries(properties).map(([name, node]) => ({
    path: `${definition}.${name}`,
    node,
    isOptional: !required.includes(name),
  })),
)

test.each(Object.entries(SPECIFICATION))('the fields of %s are those of the specification', (name, fields) => {
  const { properties = {}, required = [] } = DEFINITIONS[name] ?? {}
  expect(Object.entries(properties).map(([field, node]) => fieldText(field, node, required.includes(field)))).toEqual(
    fields,
  )
})

test.each(Object.entries(ENUMS))('the values of %s are those of the specification', (name, values) => {
  expect(DEFINITIONS[name]?.enum).toEqual(values.split(' '))
})

test('there are no other definitions', () => {
  expect(Object.keys(DEFINITIONS).sort()).toEqual([...Object.keys(SPECIFICATION), ...Object.keys(ENUMS)].sort())
})

test('the top-level keys are the record types in the order of the specification, after $schema', () => {
  expect(Object.keys(IMPORT_DOCUMENT_SCHEMA.properties ?? {})).toEqual(['$schema', ...DOCUMENT_TYPE_NAMES])
  expect(listedDefinitions(IMPORT_DOCUMENT_SCHEMA).map(([key]) => key)).toEqual(DOCUMENT_TYPE_NAMES)
})

test('only known keys are allowed, save in a JSON Schema', () => {
  const open = [...Object.entries(DEFINITIONS), ...FIELDS.map(({ path, node }) => [path, node] as const)]
    .filter(([, node]) => [node.type].flat().includes('object') && node.additionalProperties !== false)
    .map(([path]) => path)
  expect(open).toEqual(['Characteristic.schema'])
  expect(IMPORT_DOCUMENT_SCHEMA.additionalProperties).toBe(false)
})

test('a typed metadata value has exactly one key, which the validator checks by counting', () => {
  const { properties = {}, oneOf } = DEFINITIONS['TypedMetadataValue'] ?? {}
  expect(oneOf).toEqual(Object.keys(properties).map((key) => ({ required: [key] })))
  const isItem = addFormats
    .default(new Ajv2020({ allowUnionTypes: true }))
    .compile({ $ref: '#/$defs/MetadataItem', $defs: DEFINITIONS })
  const key = fc.constantFrom(...Object.keys(properties), 'other')
  const typed = fc.dictionary(key, fc.constantFrom('12', 12, 1.5, true, null), { maxKeys: 3 })
  const accepted = new Set<boolean>()
  fc.assert(
    fc.property(typed, (value) => {
      const item = { key: 'floor', value }
      const isValid = isItem(item)
      accepted.add(isValid)
      expect(records.services({ code: 'heating', name: 'Heating', metadataKeyValueStore: [item] })).toBe(isValid)
    }),
  )
  expect(accepted.size).toBe(2)
})

test('secrets are marked, and nothing else is', () => {
  const marked = FIELDS.filter(({ node }) => node.writeOnly === true).map(({ path }) => path)
  expect(marked).toEqual(['ApplicationConsumer.secret', 'MachineUser.password'])
})

describe('what an editor shows', () => {
  test('every definition and every field is described in a sentence', () => {
    const nodes = [...Object.entries(DEFINITIONS), ...FIELDS.map(({ path, node }) => [path, node] as const)]
    expect(nodes.filter(([, { description = '' }]) => !/^[\w[].*\.$/.test(description)).map(([path]) => path)).toEqual(
      [],
    )
  })

  test('every optional field says what leaving it out means', () => {
    const silent = FIELDS.filter(({ isOptional, node }) => isOptional && !saysWhatLeavingOutMeans(node))
    // Of a typed value exactly one key is there; an organization without an alias is none.
    const exceptions = Object.keys(DEFINITIONS['TypedMetadataValue']?.properties ?? {}).map(
      (key) => `TypedMetadataValue.${key}`,
    )
    expect(silent.map(({ path }) => path)).toEqual(['UserOrganization.alias', ...exceptions])
  })

  test('examples and defaults are valid', () => {
    const ajv = addFormats.default(new Ajv2020({ allowUnionTypes: true }))
    const invalid = FIELDS.filter(({ node }) => {
      const validate = ajv.compile({ ...node, $defs: DEFINITIONS })
      return ![...(node.examples ?? []), ...('default' in node ? [node.default] : [])].every((sample) =>
        validate(sample),
      )
    })
    expect(invalid.map(({ path }) => path)).toEqual([])
  })
})

function saysWhatLeavingOutMeans({ description = '', default: fallback }: JsonSchema): boolean {
  const meaning = description.split('Left out: ')[1] ?? ''
  if (fallback === undefined) return meaning.startsWith('stays as it is on the platform')
  return meaning.startsWith(Array.isArray(fallback) ? '[]' : String(fallback))
}

function fieldText(name: string, node: JsonSchema, required: boolean): string {
  const fallback = node.default === undefined ? '' : ` = ${JSON.stringify(node.default)}`
  return `${name}${required ? '!' : ''}: ${typeText(node)}${fallback}`
}

function typeText(node: JsonSchema): string {
  if (node.$ref !== undefined) return referenceName(node) ?? ''
  if (node.anyOf !== undefined) return node.anyOf.map(typeText).join(' | ')
  return [node.type ?? []]
    .flat()
    .map((type) => oneType(type, node))
    .toSorted((one, other) => Number(one === 'null') - Number(other === 'null'))
    .join(' | ')
}

function oneType(type: string, { format, items }: JsonSchema): string {
  if (type === 'array') return `array of ${items === undefined ? 'anything' : typeText(items)}`
  return type === 'string' && format !== undefined ? `string(${format})` : type
}
